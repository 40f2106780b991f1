// SPDX-License-Identifier: Apache-2.0
// A kernel is in the folder of its op's family: kernels/<device>/<family>/.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/op/op_text.h"
#include "core/runtime/kernel_registry.h"
#include "graph/ops/embedded_ops.h"
#include "kernels/register.h"

namespace sluice::kernels {
namespace {

using testing::IsEmpty;

// The kernel for variants is with the one object that it is for, a CSRSparseMatrix.
bool IsWithItsObject(absl::string_view op, absl::string_view family) {
  return op == "Conj" && family == "sparse";
}

// The stem of the .ops file of each op.
absl::flat_hash_map<std::string, std::string> FileByOp() {
  absl::flat_hash_map<std::string, std::string> by_op;
  for (const graph::EmbeddedOps& file : graph::AllOpFiles()) {
    const std::string name(file.file.data(), file.file.size());
    auto ops = ParseOps(name, {file.text.data(), file.text.size()});
    EXPECT_TRUE(ops.ok()) << ops.status();
    for (const OpDef& op : *ops) by_op[op.name] = std::string(absl::StripSuffix(name, ".ops"));
  }
  return by_op;
}

TEST(FamiliesTest, AKernelIsInTheFolderOfItsOpsFamily) {
  const auto by_op = FileByOp();
  std::vector<std::string> wrong;
  size_t count = 0;
  for (const KernelFolder& folder : KernelFolders()) {
    KernelRegistry kernels;
    folder.enter(kernels);
    for (const KernelSignature& kernel : kernels.table().signatures()) {
      const auto op = by_op.find(kernel.op);
      const std::string file = op == by_op.end() ? "no file" : op->second;
      if (!IsWithItsObject(kernel.op, folder.family) && file != folder.family &&
          !absl::StartsWith(file, absl::StrCat(folder.family, "_"))) {
        wrong.push_back(absl::StrCat(kernel.op, " of graph/ops/", file, ".ops in kernels/",
                                     folder.device, "/", folder.family));
      }
      ++count;
    }
  }
  EXPECT_THAT(wrong, IsEmpty());
  EXPECT_EQ(count, AllKernels()->table().signatures().size());
}

}  // namespace
}  // namespace sluice::kernels
