// SPDX-License-Identifier: Apache-2.0
// Shapes of optionals.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

absl::Status OptionalGetValueShape(ShapeContext& c) {
  SLUICE_ASSIGN(const auto shapes, c.Get<std::vector<PartialShape>>("output_shapes"));
  for (size_t i = 0; i < std::min(shapes.size(), c.outputs.size()); ++i) c.outputs[i] = shapes[i];
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"OptionalFromValue", AllScalars},
    {"OptionalGetValue", OptionalGetValueShape},
    {"OptionalHasValue", AllScalars},
    {"OptionalNone", AllScalars},
};

}  // namespace

absl::Span<const ShapeRule> DatasetRules() { return kRules; }

}  // namespace sluice::graph
