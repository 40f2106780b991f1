// SPDX-License-Identifier: Apache-2.0
// Shapes of calls of functions, conditionals and loops that have functions as bodies.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status FakeParamShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.Get<PartialShape>("shape"));
  return absl::OkStatus();
}

// The shapes that the program gives; unknown if it gives none.
absl::Status StatedOutputs(ShapeContext& c) {
  const auto shapes = GetAttrOr<std::vector<PartialShape>>(c.node.attrs, "output_shapes", {});
  for (size_t i = 0; i < std::min(shapes.size(), c.outputs.size()); ++i) c.outputs[i] = shapes[i];
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"Case", StatedOutputs},
    {"EagerPyFunc", NothingKnown},
    {"FakeParam", FakeParamShape},
    {"For", NothingKnown},
    {"If", StatedOutputs},
    {"PartitionedCall", NothingKnown},
    {"PyFunc", NothingKnown},
    {"PyFuncStateless", NothingKnown},
    {"RemoteCall", NothingKnown},
    {"StatefulPartitionedCall", NothingKnown},
    {"StatelessCase", StatedOutputs},
    {"StatelessIf", StatedOutputs},
    {"StatelessWhile", StatedOutputs},
    {"SymbolicGradient", NothingKnown},
    {"ToBool", AllScalars},
    {"While", StatedOutputs},
};

}  // namespace

absl::Span<const ShapeRule> FunctionsRules() { return kRules; }

}  // namespace sluice::graph
