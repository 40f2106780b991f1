// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "graph/all_ops.h"
#include "graph/import.h"
#include "graph/shape_inference.h"
#include "tests/graph/tf_programs.h"

namespace sluice::graph {
namespace {

struct Exception {
  const char* ops;
  const char* reason;
};

// Ops for which TensorFlow is not the reference. For all other ops we know at least as much as it
// does.
constexpr Exception kExceptions[] = {
    {"EncodePng", "1.15 encodes one image, 2.x a batch of them as well"},
    {"ExtractVolumePatches", "1.15 leaves out the dimension of width"},
    {"FractionalAvgPool FractionalMaxPool", "it counts the cuts without the last one"},
    {"MatrixDiagV2", "1.15 takes an unknown length for -1"},
    {"UniqueV2 UniqueWithCountsV2", "1.15 does not look at the axis"},
};

bool IsException(absl::string_view op) {
  for (const Exception& exception : kExceptions) {
    for (absl::string_view name : absl::StrSplit(exception.ops, ' ')) {
      if (name == op) return true;
    }
  }
  return false;
}

std::string InputsOf(const Node& node, const GraphShapes& shapes) {
  std::string text;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Edge* edge = node.input(i);
    if (edge == nullptr) continue;
    absl::StrAppend(&text, i == 0 ? "" : ", ",
                    shapes[edge->src->id()][edge->src_output].ToString());
  }
  return text;
}

class OpShapesTest : public testing::TestWithParam<const char*> {};

TEST_P(OpShapesTest, AreTensorFlows) {
  const auto& graphs = TensorFlowPrograms(GetParam(), "tf_op_graphs.py");
  if (graphs.empty()) GTEST_SKIP() << GetParam() << " names no interpreter";
  int outputs = 0;
  for (const auto& [op, def] : graphs) {
    Graph graph(&AllOps());
    const absl::Status status = Import(def, {}, graph);
    EXPECT_TRUE(status.ok()) << op << ": " << status;
    if (!status.ok()) continue;
    auto shapes = InferShapes(graph);
    EXPECT_TRUE(shapes.ok()) << op << ": " << shapes.status();
    if (!shapes.ok()) continue;
    for (const Node* node : graph.nodes()) {
      if (node->op() != op) continue;
      auto theirs = GetAttrOr<std::vector<PartialShape>>(node->attrs, "_output_shapes", {});
      theirs.resize(node->num_outputs());
      for (int i = 0; i < node->num_outputs(); ++i, ++outputs) {
        const PartialShape& ours = (*shapes)[node->id()][i];
        auto merged = ours.MergeWith(theirs[i]);
        EXPECT_TRUE((merged.ok() && *merged == ours) || IsException(op))
            << node->name() << "(" << InputsOf(*node, *shapes) << "):" << i << " is "
            << theirs[i].ToString() << ", but we say " << ours.ToString();
      }
    }
  }
  EXPECT_GE(graphs.size(), 400u);
  EXPECT_GE(outputs, 4000);
}

INSTANTIATE_TEST_SUITE_P(Clients, OpShapesTest,
                         testing::Values("SLUICE_TF1_PYTHON", "SLUICE_TF2_PYTHON"),
                         [](const auto& info) { return std::string(info.param).substr(7, 3); });

}  // namespace
}  // namespace sluice::graph
