// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "graph/gradients/gradients.h"
#include "tests/paths.h"

namespace sluice::graph {
namespace {

std::map<std::string, std::string> TensorFlowKinds() {
  std::map<std::string, std::string> kinds;
  std::ifstream in(SourcePath("tests/graph/gradients.tsv"));
  std::string line;
  std::getline(in, line);  // the columns' names
  while (std::getline(in, line)) {
    const std::pair<std::string, std::string> row = absl::StrSplit(line, '\t');
    kinds.insert(row);
  }
  return kinds;
}

std::string KindOf(absl::string_view op) {
  switch (GradientKindOf(op)) {
    case GradientKind::kFunction:
      return "gradient";
    case GradientKind::kNone:
      return "none";
    case GradientKind::kUnknown:
      return "unregistered";
  }
  return "";
}

struct Exception {
  const char* ops;
  const char* ours;
  const char* reason;
};

constexpr Exception kExceptions[] = {
    {"ArgMax ArgMin Ceil Floor FloorDiv LoopCond Rint Round TruncateDiv", "none",
     "the function that is registered there gives None"},
    {"ClipByValue DeepCopy Einsum IRFFT3D RFFT3D Snapshot TensorStridedSliceUpdate", "gradient",
     "a later TensorFlow has the function, or composes the op of ops that have one"},
    {"Copy StatefulPartitionedCall StatelessWhile While", "gradient",
     "an identity; and functions, which TensorFlow differentiates outside its registry"},
    {"SparseSparseMaximum SparseSparseMinimum", "unregistered",
     "the function that is registered there raises NotImplementedError"},
    {"Enter Exit NextIteration RefEnter RefExit RefNextIteration", "unregistered",
     "loops are differentiated as While; these are what it is lowered to, and the error names the "
     "loop"},
    {"AllToAll Batch CollectivePermute CrossReplicaSum CudnnRNN CudnnRNNV2 CudnnRNNV3 "
     "EagerPyFunc PeriodicResample TPUEmbeddingActivations Unbatch XlaEinsum "
     "TensorArrayConcat TensorArrayGather TensorArrayRead "
     "TensorArrayScatter TensorArraySplit TensorArrayWrite",
     "unregistered", "the op has no kernel"},
    {"NcclAllReduce NcclBroadcast NcclReduce", "unregistered",
     "our clients do not build its gradient, whose nodes are on several devices"},
    {"XlaClusterOutput", "unregistered", "the function that is registered there raises an error"},
};

TEST(GradientTableTest, IsTensorFlows) {
  std::map<std::string, std::string> expected = TensorFlowKinds();
  ASSERT_GT(expected.size(), 900u);
  for (const Exception& exception : kExceptions) {
    for (absl::string_view op : absl::StrSplit(exception.ops, ' ')) {
      std::string& kind = expected[std::string(op)];
      EXPECT_NE(kind, exception.ours) << op << " is no exception: " << exception.reason;
      kind = exception.ours;
    }
  }
  for (const auto& [op, kind] : expected) EXPECT_EQ(KindOf(op), kind) << op;
}

}  // namespace
}  // namespace sluice::graph
