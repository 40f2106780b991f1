// Shapes of patches, of ops on rows and bits, and of quantised tensors.
#include <algorithm>

#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

constexpr int64_t kUnknown = -1;

absl::Status ShapeAttr(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.Get<PartialShape>("shape"));
  return absl::OkStatus();
}

absl::Status StatedShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  return absl::OkStatus();
}

absl::Status UnravelIndexShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape dims, c.OfRank(1, 1));
  const PartialShape& indices = c.inputs[0];
  if (indices.rank() == 0) return c.Set(0, {dims.dim(0)});
  if (indices.rank() == 1) return c.Set(0, {dims.dim(0), indices.dim(0)});
  return absl::OkStatus();
}

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

absl::Status BitpackShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(1, 0).status());
  SLUICE_ASSIGN(const PartialShape input, c.OfRankAtLeast(0, 1));
  if (!input.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  if (dims.back() % 8 != 0 && dims.back() >= 0)
    return InvalidArgument("the last size must be divisible by 8, got ", dims.back());
  if (dims.back() >= 0) dims.back() /= 8;
  return c.Set(0, dims);
}

absl::Status FingerprintShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape data, c.OfRankAtLeast(0, 1));
  return c.Set(0, {data.rank_known() ? data.dim(0) : kUnknown, 8});
}

absl::Status EditDistanceShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape hypothesis, c.StatedBy(2));
  SLUICE_ASSIGN(const PartialShape truth, c.StatedBy(5));
  if (!hypothesis.fully_known() || !truth.fully_known()) return absl::OkStatus();
  if (hypothesis.rank() != truth.rank() || truth.rank() < 1) {
    return InvalidArgument("hypothesis_shape and truth_shape must have the same length, got ",
                           hypothesis, " and ", truth);
  }
  Shape::Dims dims;
  for (int d = 0; d + 1 < truth.rank(); ++d)
    dims.push_back(std::max(hypothesis.dim(d), truth.dim(d)));
  return c.Set(0, dims);
}

absl::Status PatchesShape(ShapeContext& c) {
  SLUICE_ASSIGN(const auto sizes, c.Get<std::vector<int64_t>>("ksizes"));
  SLUICE_ASSIGN(const auto strides, c.Get<std::vector<int64_t>>("strides"));
  SLUICE_ASSIGN(const auto padding, c.Get<std::string>("padding"));
  const auto rank = static_cast<int>(sizes.size());
  const auto rates = GetAttrOr(c.node.attrs, "rates", std::vector<int64_t>(rank, 1));
  SLUICE_ASSIGN(const PartialShape input, c.OfRank(0, rank));
  if (static_cast<int>(strides.size()) != rank || static_cast<int>(rates.size()) != rank)
    return InvalidArgument("ksizes, strides and rates must have ", rank, " numbers");
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  for (int d = 1; d + 1 < rank; ++d) {
    if (sizes[d] < 1 || strides[d] < 1 || rates[d] < 1)
      return InvalidArgument("ksizes, strides and rates must be positive");
    dims[rank - 1] = SizeProduct(dims[rank - 1], sizes[d]);
    if (dims[d] < 0) continue;
    const int64_t reach = SizeSum(SizeProduct(sizes[d] - 1, rates[d]), 1);
    if (padding == "SAME") {
      dims[d] = (dims[d] + strides[d] - 1) / strides[d];
    } else {
      if (reach < 0 || dims[d] < reach)
        return InvalidArgument("patches of size ", reach, " do not fit into ", dims[d]);
      dims[d] = (dims[d] - reach) / strides[d] + 1;
    }
  }
  return c.Set(0, dims);
}

constexpr ShapeRule kRules[] = {
    {"CompareAndBitpack", BitpackShape},
    {"DebugGradientRefIdentity", Unchanged},
    {"Dequantize", Unchanged},
    {"EditDistance", EditDistanceShape},
    {"Empty", StatedShape},
    {"ExtractImagePatches", PatchesShape},
    {"ExtractVolumePatches", PatchesShape},
    {"FakeQuantWithMinMaxArgs", Unchanged},
    {"FakeQuantWithMinMaxArgsGradient", Unchanged},
    {"FakeQuantWithMinMaxVars", Unchanged},
    {"FakeQuantWithMinMaxVarsGradient", ScalarRange},
    {"FakeQuantWithMinMaxVarsPerChannel", Unchanged},
    {"FakeQuantWithMinMaxVarsPerChannelGradient", ChannelRange},
    {"Fingerprint", FingerprintShape},
    {"ImmutableConst", ShapeAttr},
    {"InplaceSub", Unchanged},
    {"PopulationCount", Unchanged},
    {"QuantizeAndDequantize", Unchanged},
    {"QuantizeAndDequantizeV2", Unchanged},
    {"QuantizeAndDequantizeV3", Unchanged},
    {"QuantizeDownAndShrinkRange", ScalarRange},
    {"QuantizeV2", QuantizeShape},
    {"Requantize", ScalarRange},
    {"RequantizationRange", AllScalars},
    {"ResourceStridedSliceAssign", NoOutputs},
    {"Roll", Unchanged},
    {"TensorStridedSliceUpdate", Unchanged},
    {"UnravelIndex", UnravelIndexShape},
    {"_ParallelConcatStart", ShapeAttr},
    {"_ParallelConcatUpdate", Unchanged},
};

}  // namespace

absl::Span<const ShapeRule> BlockRules() { return kRules; }

}  // namespace sluice::graph
