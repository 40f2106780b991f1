// SPDX-License-Identifier: Apache-2.0
// Shapes of quantised tensors.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr int64_t kUnknown = -1;

absl::Status ScalarRange(ShapeContext& c) {  // like input 0, and two scalars
  c.outputs[0] = c.inputs[0];
  for (size_t i = 1; i < c.outputs.size(); ++i) c.outputs[i] = Shape{};
  return absl::OkStatus();
}

absl::Status ChannelRange(ShapeContext& c) {  // like input 0, and two vectors of its channels
  SLUICE_ASSIGN(c.outputs[0], c.OfRankAtLeast(0, 1));
  int64_t channels = c.outputs[0].rank_known() ? c.outputs[0].dims().back() : kUnknown;
  for (int i : {2, 3}) {
    SLUICE_ASSIGN(const PartialShape ends, c.OfRank(i, 1));
    SLUICE_ASSIGN(channels, MergedSize(channels, ends.dim(0)));
  }
  SLUICE_RETURN_IF_ERROR(c.Set(1, {channels}));
  return c.Set(2, {channels});
}

absl::Status QuantizeShape(ShapeContext& c) {
  const auto axis = GetAttrOr<int64_t>(c.node.attrs, "axis", -1);
  if (axis < 0) return ScalarRange(c);
  c.outputs[0] = c.inputs[0];
  const bool known = c.inputs[0].rank_known() && axis < c.inputs[0].rank();
  const int64_t size = known ? c.inputs[0].dim(static_cast<int>(axis)) : kUnknown;
  SLUICE_RETURN_IF_ERROR(c.Set(1, {size}));
  return c.Set(2, {size});
}

constexpr ShapeRule kRules[] = {
    {"Dequantize", Unchanged},
    {"FakeQuantWithMinMaxArgs", Unchanged},
    {"FakeQuantWithMinMaxArgsGradient", Unchanged},
    {"FakeQuantWithMinMaxVars", Unchanged},
    {"FakeQuantWithMinMaxVarsGradient", ScalarRange},
    {"FakeQuantWithMinMaxVarsPerChannel", Unchanged},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", ChannelRange},
    {"QuantizeAndDequantize", Unchanged},
    {"QuantizeAndDequantizeV2", Unchanged},
    {"QuantizeAndDequantizeV3", Unchanged},
    {"QuantizeDownAndShrinkRange", ScalarRange},
    {"QuantizeV2", QuantizeShape},
    {"RequantizationRange", AllScalars},
    {"Requantize", ScalarRange},
};

}  // namespace

absl::Span<const ShapeRule> QuantizedRules() { return kRules; }

}  // namespace sluice::graph
