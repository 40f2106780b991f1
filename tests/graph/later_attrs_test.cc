// SPDX-License-Identifier: Apache-2.0
#include "graph/later_attrs.h"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "graph/all_ops.h"
#include "proto/graph.pb.h"
#include "tests/paths.h"

namespace sluice::graph {
namespace {

TEST(LaterAttrsTest, AreThoseOfTheListOfChanges) {
  std::ifstream file(SourcePath("tests/data/op_changes_tf2.tsv"));
  std::set<std::string> expected, found;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> columns = absl::StrSplit(line, '\t');
    if (columns.size() == 5 && columns[2] == "attr_added")
      expected.insert(absl::StrCat(columns[0], ".", columns[3]));
  }
  ASSERT_GT(expected.size(), 100);
  for (const OpDef& op : AllOps().ops()) {
    for (const AttrDef& attr : op.attrs) {
      if (IsLaterAttr(op.name, attr.name)) found.insert(absl::StrCat(op.name, ".", attr.name));
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(LaterAttrsTest, OnlyThoseWithTheirDefaultAreStripped) {
  proto::GraphDef def;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
    node { name: 'a' op: 'MatMul'
           attr { key: 'grad_a' value { b: false } }
           attr { key: 'grad_b' value { b: true } }
           attr { key: 'transpose_a' value { b: false } } }
    node { name: 'b' op: 'MaxPool' attr { key: 'explicit_paddings' value { list {} } } }
    node { name: 'c' op: 'MaxPool' attr { key: 'explicit_paddings' value { list { i: 1 } } } }
    node { name: 'd' op: 'BatchFunction'
           attr { key: 'mixed_priority_policy' value { placeholder: 'p' } } }
    library { function { node_def { name: 'e' op: 'BatchDataset'
                                    attr { key: 'metadata' value { s: '' } } } } })",
                                                            &def));
  StripLaterAttrs(&def);
  EXPECT_FALSE(def.node(0).attr().contains("grad_a"));
  EXPECT_TRUE(def.node(0).attr().contains("grad_b"));
  EXPECT_TRUE(def.node(0).attr().contains("transpose_a"));
  EXPECT_EQ(def.node(1).attr_size(), 0);
  EXPECT_EQ(def.node(2).attr_size(), 1);
  EXPECT_EQ(def.node(3).attr_size(), 1);
  EXPECT_EQ(def.library().function(0).node_def(0).attr_size(), 0);
}

TEST(LaterAttrsTest, AGraphWithoutFunctionsGetsNoLibrary) {
  proto::GraphDef def;
  StripLaterAttrs(&def);
  EXPECT_FALSE(def.has_library());
}

}  // namespace
}  // namespace sluice::graph
