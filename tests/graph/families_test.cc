// SPDX-License-Identifier: Apache-2.0
// An op has one family: its interface, shape function and gradient are in files of that name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/op/op_text.h"
#include "graph/gradients/node_gradient.h"
#include "graph/ops/embedded_ops.h"
#include "graph/shapes/rules.h"
#include "tests/paths.h"

namespace sluice::graph {
namespace {

using testing::IsEmpty;

std::vector<std::string> Families() {
  std::vector<std::string> families;
  std::ifstream file(SourcePath("graph/ops/families.txt"));
  for (std::string line; std::getline(file, line);) {
    if (!absl::StartsWith(line, "#")) families.push_back(line.substr(0, line.find(' ')));
  }
  return families;
}

// The family of a file: its name, or the longest family that is a prefix of the name before a "_".
std::string FamilyOf(absl::string_view file) {
  std::string found;
  for (const std::string& family : Families()) {
    const bool fits = file == family || absl::StartsWith(file, absl::StrCat(family, "_"));
    if (fits && family.size() > found.size()) found = family;
  }
  return found;
}

absl::flat_hash_map<std::string, std::string> FamilyByOp() {
  absl::flat_hash_map<std::string, std::string> by_op;
  for (const EmbeddedOps& file : AllOpFiles()) {
    const std::string name(file.file.data(), file.file.size());
    auto ops = ParseOps(name, {file.text.data(), file.text.size()});
    EXPECT_TRUE(ops.ok()) << ops.status();
    for (const OpDef& op : *ops) by_op[op.name] = FamilyOf(absl::StripSuffix(name, ".ops"));
  }
  return by_op;
}

TEST(FamiliesTest, EveryListedFamilyHasOpsAndEveryFileIsListed) {
  std::vector<std::string> families = Families();
  ASSERT_GT(families.size(), 20);
  EXPECT_TRUE(std::is_sorted(families.begin(), families.end()));
  std::vector<std::string> unlisted;
  for (const EmbeddedOps& file : AllOpFiles()) {
    const std::string name(file.file.data(), file.file.size());
    const std::string family = FamilyOf(absl::StripSuffix(name, ".ops"));
    if (family.empty()) unlisted.push_back(name);
    families.erase(std::remove(families.begin(), families.end(), family), families.end());
  }
  EXPECT_THAT(unlisted, IsEmpty());
  EXPECT_THAT(families, IsEmpty()) << "have no ops";
}

TEST(FamiliesTest, AShapeFunctionIsInTheFileOfItsOpsFamily) {
  const auto by_op = FamilyByOp();
  std::vector<std::string> wrong;
  absl::flat_hash_map<std::string, int> times;
  for (const ShapeFile& file : ShapeFiles()) {
    for (const ShapeRule& rule : file.rules) {
      const auto op = by_op.find(rule.op);
      const std::string family = op == by_op.end() ? "no family" : op->second;
      if (family != FamilyOf(file.file) || ++times[rule.op] > 1)
        wrong.push_back(absl::StrCat(rule.op, " of ", family, " in ", file.file));
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
  EXPECT_GT(times.size(), 700);
}

TEST(FamiliesTest, AGradientIsInTheFileOfItsOpsFamily) {
  const auto by_op = FamilyByOp();
  std::vector<std::string> wrong;
  absl::flat_hash_map<std::string, int> times;
  for (const GradientFile& file : GradientFiles()) {
    GradientTable table;
    file.add(table);
    for (const auto& [name, function] : table) {
      const auto op = by_op.find(name);
      const std::string family = op == by_op.end() ? "no family" : op->second;
      if (family != FamilyOf(file.file) || ++times[name] > 1)
        wrong.push_back(absl::StrCat(name, " of ", family, " in ", file.file));
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
  EXPECT_GT(times.size(), 200);
}

}  // namespace
}  // namespace sluice::graph
