// SPDX-License-Identifier: Apache-2.0
// Shapes of quantised tensors.
#include "absl/strings/strip.h"
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

// Inputs from `first` on are the ends of ranges.
absl::Status CheckEnds(const ShapeContext& c, int first) {
  for (int i = first; i < c.num_inputs(); ++i) SLUICE_RETURN_IF_ERROR(c.OfRank(i, 0).status());
  return absl::OkStatus();
}

absl::Status NewRange(ShapeContext& c) {  // input, and ends of ranges
  SLUICE_RETURN_IF_ERROR(CheckEnds(c, 1));
  return ScalarRange(c);
}

// Output 0 is like that of the same op on floats, whose inputs come first; two scalars follow.
absl::Status LikeFloatOp(ShapeContext& c, absl::string_view op, int inputs) {
  ShapeContext floats = c;
  floats.inputs.resize(inputs);
  SLUICE_RETURN_IF_ERROR(FindShapeFunction(op)(floats));
  c.outputs[0] = floats.outputs[0];
  c.outputs[1] = c.outputs[2] = Shape{};
  return absl::OkStatus();
}
template <int kInputs>
absl::Status LikeFloatOpWithEnds(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(
      LikeFloatOp(c, absl::StripPrefix(absl::string_view(c.node.op()), "Quantized"), kInputs));
  return CheckEnds(c, kInputs);
}

absl::Status MulShape(ShapeContext& c) { return LikeFloatOp(c, "Mul", 2); }

absl::Status ReshapeShape(ShapeContext& c) {  // a tensor, the sizes, the ends of its range
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 1).status());
  return LikeFloatOpWithEnds<2>(c);
}

// One range, or one for each slice of the axis.
absl::Status DequantizeShape(ShapeContext& c) {
  c.outputs[0] = c.inputs[0];
  const int rank_of_ends = GetAttrOr<int64_t>(c.node.attrs, "axis", -1) == -1 ? 0 : 1;
  for (int i : {1, 2}) SLUICE_RETURN_IF_ERROR(c.OfRank(i, rank_of_ends).status());
  return absl::OkStatus();
}

absl::Status ConcatShape(ShapeContext& c) {  // the axis, values, as many ends twice
  const int count = (c.num_inputs() - 1) / 3;
  SLUICE_RETURN_IF_ERROR(LikeFloatOp(c, "Concat", count + 1));
  return CheckEnds(c, count + 1);
}

absl::Status InstanceNormShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(CheckEnds(c, 1));
  SLUICE_RETURN_IF_ERROR(ScalarRange(c));
  SLUICE_ASSIGN(c.outputs[0], c.OfRank(0, 4));
  return absl::OkStatus();
}

absl::Status BatchNormShape(ShapeContext& c) {  // images, four vectors of their channels
  SLUICE_RETURN_IF_ERROR(ScalarRange(c));
  SLUICE_ASSIGN(const PartialShape images, c.OfRank(0, 4));
  int64_t channels = images.dim(3);
  for (int i : {3, 6, 9, 12}) {
    SLUICE_ASSIGN(const PartialShape vector, c.OfRank(i, 1));
    SLUICE_ASSIGN(channels, MergedSize(channels, vector.dim(0)));
  }
  return c.Set(0, {images.dim(0), images.dim(1), images.dim(2), channels});
}

// The range at `first` and after it has one end, or one for each slice of the axis of `input`.
absl::StatusOr<PartialShape> EndsShape(const ShapeContext& c, int input, int first) {
  const auto axis = GetAttrOr<int64_t>(c.node.attrs, "axis", -1);
  if (axis < -1) return InvalidArgument("axis should be at least -1, got ", axis);
  SLUICE_ASSIGN(PartialShape ends, c.OfRank(first, axis == -1 ? 0 : 1));
  SLUICE_ASSIGN(ends, ends.MergeWith(c.inputs[first + 1]));
  if (axis == -1) return ends;
  if (axis >= kMaxRank) return InvalidArgument("axis is out of range: ", axis);
  SLUICE_ASSIGN(const PartialShape shape, c.OfRankAtLeast(input, static_cast<int>(axis) + 1));
  if (shape.rank_known())
    SLUICE_RETURN_IF_ERROR(MergedSize(ends.dim(0), shape.dim(static_cast<int>(axis))).status());
  return ends;
}

absl::Status QuantizeAndDequantizeShape(ShapeContext& c) {  // input, input_min, input_max
  SLUICE_RETURN_IF_ERROR(EndsShape(c, 0, 1).status());
  c.outputs[0] = c.inputs[0];
  return absl::OkStatus();
}

absl::Status QuantizeAndDequantizeV3Shape(ShapeContext& c) {  // the same, num_bits
  SLUICE_RETURN_IF_ERROR(c.OfRank(3, 0).status());
  return QuantizeAndDequantizeShape(c);
}

// gradients, input, input_min, input_max
absl::Status QuantizeAndDequantizeGradShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[1], EndsShape(c, 1, 2));
  c.outputs[2] = c.outputs[1];
  SLUICE_ASSIGN(c.outputs[0], c.inputs[0].MergeWith(c.inputs[1]));
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"Dequantize", DequantizeShape},
    {"FakeQuantWithMinMaxArgs", Unchanged},
    {"FakeQuantWithMinMaxArgsGradient", Unchanged},
    {"FakeQuantWithMinMaxVars", Unchanged},
    {"FakeQuantWithMinMaxVarsGradient", ScalarRange},
    {"FakeQuantWithMinMaxVarsPerChannel", Unchanged},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", ChannelRange},
    {"QuantizeAndDequantize", Unchanged},
    {"QuantizeAndDequantizeV2", Unchanged},
    {"QuantizeAndDequantizeV3", QuantizeAndDequantizeV3Shape},
    {"QuantizeAndDequantizeV4", QuantizeAndDequantizeShape},
    {"QuantizeAndDequantizeV4Grad", QuantizeAndDequantizeGradShape},
    {"QuantizeDownAndShrinkRange", NewRange},
    {"QuantizeV2", QuantizeShape},
    {"QuantizedAdd", LikeFloatOpWithEnds<2>},
    {"QuantizedAvgPool", LikeFloatOpWithEnds<1>},
    {"QuantizedBatchNormWithGlobalNormalization", BatchNormShape},
    {"QuantizedBiasAdd", LikeFloatOpWithEnds<2>},
    {"QuantizedConcat", ConcatShape},
    {"QuantizedConv2D", LikeFloatOpWithEnds<2>},
    {"QuantizedInstanceNorm", InstanceNormShape},
    {"QuantizedMatMul", LikeFloatOpWithEnds<2>},
    {"QuantizedMaxPool", LikeFloatOpWithEnds<1>},
    {"QuantizedMul", MulShape},
    {"QuantizedRelu", LikeFloatOpWithEnds<1>},
    {"QuantizedRelu6", LikeFloatOpWithEnds<1>},
    {"QuantizedReshape", ReshapeShape},
    {"QuantizedResizeBilinear", LikeFloatOpWithEnds<2>},
    {"RequantizationRange", AllScalars},
    {"Requantize", NewRange},
};

}  // namespace

absl::Span<const ShapeRule> QuantizedRules() { return kRules; }

}  // namespace sluice::graph
