// SPDX-License-Identifier: Apache-2.0
// Shapes of convolution, pooling, normalisation, activations and losses.
#include <algorithm>
#include <cmath>

#include "absl/strings/match.h"
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The positions of batch, channels and space in a layout such as NHWC, NCHW or NDHWC.
struct Layout {
  int rank, channels, first_space;
  int spaces() const { return rank - 2; }
};

absl::StatusOr<Layout> ReadLayout(const ShapeContext& c, int rank) {
  const std::string format =
      GetAttrOr<std::string>(c.node.attrs, "data_format", rank == 4 ? "NHWC" : "NDHWC");
  if (format == "NHWC" || format == "NDHWC" || format == "CHANNELS_LAST")
    return Layout{rank, rank - 1, 1};
  if (format == "NCHW" || format == "NCDHW" || format == "CHANNELS_FIRST")
    return Layout{rank, 1, 2};
  return Unimplemented("data_format \"", format, "\"");  // a packed layout: its shapes stay unknown
}

// Number of window positions along one dimension; -1 if unknown.
absl::StatusOr<int64_t> Windows(int64_t size, int64_t window, int64_t stride, int64_t dilation,
                                absl::string_view padding, int64_t before, int64_t after) {
  if (stride <= 0) return InvalidArgument("Stride must be > 0, but got ", stride);
  if (dilation <= 0) return InvalidArgument("Dilation rate must be > 0, but got ", dilation);
  if (size < 0) return -1;
  if (padding == "SAME") return size / stride + (size % stride != 0);
  if (window < 0) return -1;
  if (window == 0) return InvalidArgument("a window must not be empty");
  int64_t span, padded = SizeSum(SizeSum(size, before), after);
  if (!MulFits(window - 1, dilation, &span) || span == INT64_MAX || padded < 0)
    return InvalidArgument("window is too large");
  if (span + 1 > padded) {
    return InvalidArgument("Computed output size would be negative: a window of ", span + 1,
                           " over ", padded);
  }
  return (padded - span - 1) / stride + 1;
}

struct Padding {
  std::string kind;            // SAME, VALID or EXPLICIT
  std::vector<int64_t> sizes;  // EXPLICIT: before and after each dimension
  int64_t before(int dim) const {
    return 2 * dim < static_cast<int>(sizes.size()) ? sizes[2 * dim] : 0;
  }
  int64_t after(int dim) const {
    return 2 * dim + 1 < static_cast<int>(sizes.size()) ? sizes[2 * dim + 1] : 0;
  }
};

absl::StatusOr<Padding> ReadPadding(const ShapeContext& c, int rank) {
  Padding padding;
  SLUICE_ASSIGN(padding.kind, c.Get<std::string>("padding"));
  if (padding.kind != "EXPLICIT") return padding;
  SLUICE_ASSIGN(padding.sizes, c.Get<std::vector<int64_t>>("explicit_paddings"));
  const bool negative =
      std::any_of(padding.sizes.begin(), padding.sizes.end(), [](int64_t p) { return p < 0; });
  if (static_cast<int>(padding.sizes.size()) != 2 * rank || negative) {
    return InvalidArgument("explicit_paddings must be ", 2 * rank, " sizes that are not negative");
  }
  return padding;
}

// A list attribute with one entry for each dimension; absent: all ones.
absl::StatusOr<std::vector<int64_t>> PerDimension(const ShapeContext& c, absl::string_view attr,
                                                  int rank) {
  auto list = GetAttrOr<std::vector<int64_t>>(c.node.attrs, attr, {});
  if (list.empty()) list.assign(rank, 1);
  if (static_cast<int>(list.size()) != rank) {
    return InvalidArgument(attr, " must have ", rank, " entries, but has ", list.size());
  }
  return list;
}

// Of an input with one dimension of batch. filter: window sizes, channels in, channels out. A
// depthwise filter's last two multiply.
absl::StatusOr<Shape::Dims> Convolved(ShapeContext& c, const PartialShape& input, int rank,
                                      bool depthwise) {
  SLUICE_ASSIGN(PartialShape filter, c.OfRank(1, rank));
  auto layout = ReadLayout(c, rank);
  if (!layout.ok()) return Shape::Dims(rank, -1);
  SLUICE_ASSIGN(Padding padding, ReadPadding(c, rank));
  SLUICE_ASSIGN(auto strides, PerDimension(c, "strides", rank));
  SLUICE_ASSIGN(auto dilations, PerDimension(c, "dilations", rank));
  const int64_t in = input.dim(layout->channels), filter_in = filter.dim(rank - 2),
                filter_out = filter.dim(rank - 1);
  Shape::Dims dims(rank, -1);
  dims[0] = input.dim(0);
  if (depthwise) {
    if (in >= 0 && filter_in >= 0 && in != filter_in) {
      return InvalidArgument("input and filter must have the same depth: ", in, " vs ", filter_in);
    }
    dims[layout->channels] = SizeProduct(in >= 0 ? in : filter_in, filter_out);
  } else {
    if (in > 0 && filter_in > 0 && in % filter_in != 0) {
      return InvalidArgument("input depth must be evenly divisible by filter depth: ", in, " vs ",
                             filter_in);
    }
    const int64_t groups = in > 0 && filter_in > 0 ? in / filter_in : 1;
    if (filter_out > 0 && filter_out % groups != 0) {
      return InvalidArgument("output depth must be evenly divisible by number of groups: ",
                             filter_out, " vs ", groups);
    }
    dims[layout->channels] = filter_out;
  }
  for (int i = 0; i < layout->spaces(); ++i) {
    const int d = layout->first_space + i;
    SLUICE_ASSIGN(dims[d], Windows(input.dim(d), filter.dim(i), strides[d], dilations[d],
                                   padding.kind, padding.before(d), padding.after(d)));
  }
  return dims;
}

absl::Status Convolution(ShapeContext& c, int rank, bool depthwise) {
  SLUICE_ASSIGN(const PartialShape input, c.OfRank(0, rank));
  SLUICE_ASSIGN(const Shape::Dims dims, Convolved(c, input, rank, depthwise));
  return c.Set(0, dims);
}

// Conv: any number of dimensions of batch. The strides tell the number of the others.
absl::Status ConvShape(ShapeContext& c) {
  SLUICE_ASSIGN(const auto strides, c.Get<std::vector<int64_t>>("strides"));
  SLUICE_ASSIGN(const int64_t batch_dims, c.Get<int64_t>("batch_dims"));
  const int64_t rank = std::ssize(strides);
  if (rank != 4 && rank != 5) return InvalidArgument("strides must have 4 or 5 entries");
  if (batch_dims < 0 || batch_dims >= kMaxRank) {
    // TensorFlow looks at it only if the input's shape is known.
    if (c.inputs[0].rank() < 0) return absl::OkStatus();
    return InvalidArgument("batch_dims is ", batch_dims);
  }
  SLUICE_ASSIGN(const PartialShape input, c.OfRank(0, static_cast<int>(batch_dims + rank - 1)));
  const auto all = input.dims();
  Shape::Dims one_batch(1, -1), dims(all.begin(), all.begin() + batch_dims);
  one_batch.insert(one_batch.end(), all.begin() + batch_dims, all.end());
  SLUICE_ASSIGN(const PartialShape folded, PartialShape::Create(one_batch));
  SLUICE_ASSIGN(const PartialShape filter, c.OfRank(1, static_cast<int>(rank)));
  SLUICE_ASSIGN(const int64_t groups, c.Get<int64_t>("groups"));
  SLUICE_ASSIGN(const Layout layout, ReadLayout(c, static_cast<int>(rank)));
  const int64_t in = folded.dim(layout.channels),
                filter_in = SizeProduct(filter.dim(static_cast<int>(rank) - 2), groups);
  if (in >= 0 && filter_in >= 0 && in != filter_in) {
    return InvalidArgument("Input depth must be equal to filter depth: ", in, " vs ", filter_in);
  }
  SLUICE_ASSIGN(const Shape::Dims convolved, Convolved(c, folded, static_cast<int>(rank), false));
  dims.insert(dims.end(), convolved.begin() + 1, convolved.end());
  return c.Set(0, dims);
}

absl::Status Conv2DShape(ShapeContext& c) { return Convolution(c, 4, false); }
absl::Status Conv3DShape(ShapeContext& c) { return Convolution(c, 5, false); }
absl::Status DepthwiseShape(ShapeContext& c) { return Convolution(c, 4, true); }

// For a convolution's gradient for its input, whose sizes come first: the batch size is also that
// of dy.
template <int kRank>
absl::Status InputGradientShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR((StatedOfRank<0, kRank>(c)));
  SLUICE_ASSIGN(const PartialShape dy, c.OfRank(2, kRank));
  Shape::Dims dims(c.outputs[0].dims().begin(), c.outputs[0].dims().end());
  if (dims[0] < 0) dims[0] = dy.dim(0);
  return c.Set(0, dims);
}

absl::Status Pooling(ShapeContext& c, int rank) {
  SLUICE_ASSIGN(PartialShape input, c.OfRank(0, rank));
  auto layout = ReadLayout(c, rank);
  if (!layout.ok()) return absl::OkStatus();
  SLUICE_ASSIGN(Padding padding, ReadPadding(c, rank));
  SLUICE_ASSIGN(auto strides, PerDimension(c, "strides", rank));
  SLUICE_ASSIGN(auto windows, PerDimension(c, "ksize", rank));
  Shape::Dims dims(rank);
  for (int d = 0; d < rank; ++d) {
    SLUICE_ASSIGN(dims[d], Windows(input.dim(d), windows[d], strides[d], 1, padding.kind,
                                   padding.before(d), padding.after(d)));
  }
  for (size_t i = 0; i < c.outputs.size(); ++i)
    SLUICE_RETURN_IF_ERROR(c.Set(static_cast<int>(i), dims));
  return absl::OkStatus();
}
absl::Status Pool2DShape(ShapeContext& c) { return Pooling(c, 4); }
absl::Status Pool3DShape(ShapeContext& c) { return Pooling(c, 5); }

// orig_input, orig_output, grad: the output has the shape of the pooling's output.
template <int kRank>
absl::Status PoolGradGradShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(Pooling(c, kRank));
  SLUICE_ASSIGN(c.outputs[0], c.outputs[0].MergeWith(c.inputs[1]));
  return absl::OkStatus();
}

absl::Status MaxPoolV2Shape(ShapeContext& c) {  // input, ksize, strides
  SLUICE_ASSIGN(PartialShape input, c.OfRank(0, 4));
  SLUICE_ASSIGN(const std::string padding, c.Get<std::string>("padding"));
  Shape::Dims dims(4, -1);
  for (int d = 0; d < 4; ++d) {
    const auto window = c.Int(1, d), stride = c.Int(2, d);
    if (!window || !stride) continue;
    SLUICE_ASSIGN(dims[d], Windows(input.dim(d), *window, *stride, 1, padding, 0, 0));
  }
  return c.Set(0, dims);
}

absl::Status BiasAddShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape value, c.OfRankAtLeast(0, 2));
  SLUICE_ASSIGN(PartialShape bias, c.OfRank(1, 1));
  c.outputs[0] = value;
  if (!value.rank_known()) return absl::OkStatus();
  const bool first =
      absl::StartsWith(GetAttrOr<std::string>(c.node.attrs, "data_format", "NHWC"), "NC");
  const int channels = first ? 1 : value.rank() - 1;
  Shape::Dims dims(value.dims().begin(), value.dims().end());
  SLUICE_ASSIGN(dims[channels], MergedSize(value.dim(channels), bias.dim(0)));
  return c.Set(0, dims);
}

absl::Status BiasAddGradShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape value, c.OfRankAtLeast(0, 2));
  const bool first =
      absl::StartsWith(GetAttrOr<std::string>(c.node.attrs, "data_format", "NHWC"), "NC");
  return c.Set(0, {!value.rank_known() ? -1 : value.dim(first ? 1 : value.rank() - 1)});
}

absl::Status FusedBatchNormShape(ShapeContext& c) {  // x, scale, offset, mean, variance
  SLUICE_ASSIGN(PartialShape x, c.OfRank(0, c.inputs[0].rank() == 5 ? 5 : 4));
  auto layout = ReadLayout(c, x.rank());
  if (!layout.ok()) return absl::OkStatus();
  int64_t channels = x.dim(layout->channels);
  for (int i = 1; i <= 2; ++i) {
    SLUICE_ASSIGN(PartialShape vector, c.OfRank(i, 1));
    SLUICE_ASSIGN(channels, MergedSize(channels, vector.dim(0)));
  }
  Shape::Dims dims(x.dims().begin(), x.dims().end());
  dims[layout->channels] = channels;
  SLUICE_RETURN_IF_ERROR(c.Set(0, dims));
  for (int i = 1; i < 5; ++i) c.outputs[i] = PartialShape{channels};
  return absl::OkStatus();  // V3's last output is a dummy
}

absl::Status FusedBatchNormGradShape(ShapeContext& c) {  // y_backprop, x, scale, ...
  SLUICE_ASSIGN(PartialShape x, c.inputs[0].MergeWith(c.inputs[1]));
  c.outputs[0] = x;
  auto layout = ReadLayout(c, x.rank() == 5 ? 5 : 4);
  if (!layout.ok()) return absl::OkStatus();
  const int64_t channels = x.rank() == layout->rank ? x.dim(layout->channels) : -1;
  c.outputs[1] = c.outputs[2] = PartialShape{channels};
  c.outputs[3] = c.outputs[4] = PartialShape{0};
  return absl::OkStatus();
}

absl::Status SoftmaxLossShape(ShapeContext& c) {  // features, labels -> loss, backprop
  SLUICE_ASSIGN(PartialShape both, BroadcastShapes(c.inputs[0], c.inputs[1]));
  if (both.rank_known() && both.rank() != 2)
    return InvalidArgument("logits and labels must be matrices, got ", both);
  c.outputs[0] = PartialShape{both.rank_known() ? both.dim(0) : -1};
  c.outputs[1] = both.rank_known() ? both : PartialShape::UnknownOfRank(2);
  return absl::OkStatus();
}

absl::Status SparseSoftmaxLossShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape features, c.OfRank(0, 2));
  SLUICE_ASSIGN(PartialShape labels, c.OfRank(1, 1));
  SLUICE_ASSIGN(int64_t batch, MergedSize(features.dim(0), labels.dim(0)));
  SLUICE_RETURN_IF_ERROR(c.Set(0, {batch}));
  return c.Set(1, {batch, features.dim(1)});
}

absl::Status InTopKShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape predictions, c.OfRank(0, 2));
  SLUICE_ASSIGN(PartialShape targets, c.OfRank(1, 1));
  SLUICE_ASSIGN(int64_t batch, MergedSize(predictions.dim(0), targets.dim(0)));
  return c.Set(0, {batch});
}

absl::Status TopKOf(ShapeContext& c, int64_t k) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 1));
  if (!input.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  if (k >= 0 && dims.back() >= 0 && dims.back() < k) {
    return InvalidArgument("input must have last dimension >= k = ", k, " but is ", dims.back());
  }
  dims.back() = k;
  SLUICE_RETURN_IF_ERROR(c.Set(0, dims));
  return c.Set(1, dims);
}
absl::Status TopKShape(ShapeContext& c) {
  return TopKOf(c, GetAttrOr<int64_t>(c.node.attrs, "k", -1));
}
absl::Status TopKV2Shape(ShapeContext& c) {
  const auto k = c.Int(1);
  if (k && *k < 0) return InvalidArgument("Need k >= 0, got ", *k);
  return TopKOf(c, k.value_or(-1));
}

absl::Status ApproxTopKShape(ShapeContext& c) {
  SLUICE_ASSIGN(const bool exact, c.Get<bool>("aggregate_to_topk"));
  SLUICE_ASSIGN(const int64_t axis, c.Get<int64_t>("reduction_dimension"));
  if (exact && axis == -1) return TopKShape(c);
  if (c.inputs[0].rank_known())
    c.outputs[0] = c.outputs[1] = PartialShape::UnknownOfRank(c.inputs[0].rank());
  return absl::OkStatus();
}

absl::Status NthElementShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRankAtLeast(0, 1));
  if (input.rank_known()) c.outputs[0] = SubShape(input, 0, input.rank() - 1);
  return absl::OkStatus();
}

absl::Status GradientShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.inputs[0].MergeWith(c.inputs[1]));
  return absl::OkStatus();
}

// The gradient of Relu, and that of the bias before it.
absl::Status FusedReluGradShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(GradientShape(c));
  SLUICE_ASSIGN(const PartialShape value, c.OfRankAtLeast(0, 2));
  return c.Set(1, {value.rank_known() ? value.dim(value.rank() - 1) : -1});
}

absl::Status DilationShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRank(0, 4));
  SLUICE_ASSIGN(PartialShape filter, c.OfRank(1, 3));
  SLUICE_ASSIGN(Padding padding, ReadPadding(c, 4));
  SLUICE_ASSIGN(auto strides, PerDimension(c, "strides", 4));
  SLUICE_ASSIGN(auto rates, PerDimension(c, "rates", 4));
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  SLUICE_ASSIGN(dims[3], MergedSize(input.dim(3), filter.dim(2)));
  for (int d = 1; d <= 2; ++d) {
    SLUICE_ASSIGN(dims[d], Windows(input.dim(d), filter.dim(d - 1), strides[d], rates[d],
                                   padding.kind, 0, 0));
  }
  return c.Set(0, dims);
}

// and the positions at which rows and columns were cut
absl::Status FractionalPoolShape(ShapeContext& c) {
  SLUICE_ASSIGN(PartialShape input, c.OfRank(0, 4));
  SLUICE_ASSIGN(const auto ratios, c.Get<std::vector<float>>("pooling_ratio"));
  if (ratios.size() != 4) return InvalidArgument("pooling_ratio must have 4 entries");
  Shape::Dims dims(4, -1);
  for (int d = 0; d < 4; ++d) {
    if (!(ratios[d] >= 1)) return InvalidArgument("pooling_ratio must not be below 1");
    if (input.dim(d) < 0) continue;
    dims[d] = static_cast<int64_t>(std::floor(static_cast<float>(input.dim(d)) / ratios[d]));
  }
  SLUICE_RETURN_IF_ERROR(c.Set(0, dims));
  for (int i : {1, 2}) c.outputs[i] = PartialShape{SizeSum(dims[i], 1)};
  return absl::OkStatus();
}

absl::Status GlobalBatchNormGradShape(ShapeContext& c) {  // t, m, v, gamma, backprop
  c.outputs[0] = c.inputs[0];
  for (int i = 1; i < 5; ++i) c.outputs[i] = c.inputs[1];
  return absl::OkStatus();
}

// input, [size,] paddings, filter: resized, padded, convolved.
absl::Status FusedConvolutionShape(ShapeContext& c) {
  const bool resizes = c.num_inputs() == 4;
  SLUICE_ASSIGN(const PartialShape input, c.OfRank(0, 4));
  SLUICE_ASSIGN(const PartialShape filter, c.OfRank(c.num_inputs() - 1, 4));
  SLUICE_ASSIGN(auto strides, PerDimension(c, "strides", 4));
  SLUICE_ASSIGN(const Padding padding, ReadPadding(c, 4));
  const int margins = resizes ? 2 : 1;
  SLUICE_RETURN_IF_ERROR(c.OfRank(margins, 2).status());
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  for (int d = 0; d < 4; ++d) {
    if (resizes && (d == 1 || d == 2)) dims[d] = c.Int(1, d - 1).value_or(-1);
    const auto before = c.Int(margins, 2 * d), after = c.Int(margins, 2 * d + 1);
    const bool known = before && after && *before >= 0 && *after >= 0;
    dims[d] = known && dims[d] >= 0 ? SizeSum(SizeSum(dims[d], *before), *after) : -1;
    if (d == 0 || d == 3) continue;
    SLUICE_ASSIGN(dims[d], Windows(dims[d], filter.dim(d - 1), strides[d], 1, padding.kind, 0, 0));
  }
  dims[3] = filter.dim(3);
  return c.Set(0, dims);
}

absl::Status LrnGradShape(ShapeContext& c) {
  c.outputs[0] = PartialShape::UnknownOfRank(4);
  for (const PartialShape& input : c.inputs) {
    SLUICE_ASSIGN(c.outputs[0], c.outputs[0].MergeWith(input));
  }
  return absl::OkStatus();
}

absl::Status CtcLossShape(ShapeContext& c) {  // scores, label indices, label values, lengths
  SLUICE_ASSIGN(const PartialShape scores, c.OfRank(0, 3));
  SLUICE_ASSIGN(const PartialShape indices, c.OfRank(1, 2));
  SLUICE_ASSIGN(const PartialShape values, c.OfRank(2, 1));
  SLUICE_ASSIGN(const PartialShape lengths, c.OfRank(3, 1));
  SLUICE_RETURN_IF_ERROR(MergedSize(indices.dim(0), values.dim(0)).status());
  SLUICE_ASSIGN(const int64_t batch, MergedSize(scores.dim(1), lengths.dim(0)));
  SLUICE_RETURN_IF_ERROR(c.Set(1, {scores.dim(0), batch, scores.dim(2)}));
  return c.Set(0, {batch});
}

// scores, lengths -> indices, values and shape of each path's labels; log probabilities
absl::Status CtcDecoderShape(ShapeContext& c, int64_t paths) {
  SLUICE_ASSIGN(const PartialShape scores, c.OfRank(0, 3));
  SLUICE_ASSIGN(const PartialShape lengths, c.OfRank(1, 1));
  SLUICE_ASSIGN(const int64_t batch, MergedSize(scores.dim(1), lengths.dim(0)));
  const auto count = static_cast<int>(paths);
  for (int path = 0; path < count; ++path) {
    c.outputs[path] = PartialShape{-1, 2};
    c.outputs[count + path] = PartialShape{-1};
    c.outputs[2 * count + path] = PartialShape{2};
  }
  return c.Set(3 * count, {batch, paths});
}
absl::Status CtcGreedyShape(ShapeContext& c) { return CtcDecoderShape(c, 1); }
absl::Status CtcBeamSearchShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t paths, c.Get<int64_t>("top_paths"));
  return CtcDecoderShape(c, paths);
}

// -> words, counts, three numbers, examples, labels
absl::Status SkipgramShape(ShapeContext& c) {
  SLUICE_ASSIGN(const int64_t batch, c.Get<int64_t>("batch_size"));
  if (batch < 0) return InvalidArgument("batch_size must not be negative");
  for (int i : {0, 1}) c.outputs[i] = PartialShape{-1};
  for (int i : {2, 3, 4}) c.outputs[i] = PartialShape{};
  for (int i : {5, 6}) c.outputs[i] = PartialShape{batch};
  return absl::OkStatus();
}

// The gradient of a pooling has the shape of its input. MaxPoolGradGrad has that of its output, the
// second input.
constexpr ShapeRule kRules[] = {
    {"ApproxTopK", ApproxTopKShape},
    {"AvgPool", Pool2DShape},
    {"AvgPool3D", Pool3DShape},
    {"AvgPool3DGrad", StatedOfRank<0, 5>},
    {"AvgPoolGrad", StatedOfRank<0, 4>},
    {"BatchNormWithGlobalNormalization", Unchanged},
    {"BatchNormWithGlobalNormalizationGrad", GlobalBatchNormGradShape},
    {"BiasAdd", BiasAddShape},
    {"BiasAddGrad", BiasAddGradShape},
    {"BiasAddV1", BiasAddShape},
    {"CTCBeamSearchDecoder", CtcBeamSearchShape},
    {"CTCGreedyDecoder", CtcGreedyShape},
    {"CTCLoss", CtcLossShape},
    {"Conv", ConvShape},
    {"Conv2D", Conv2DShape},
    {"Conv2DBackpropFilter", StatedOfRank<1, 4>},
    {"Conv2DBackpropInput", InputGradientShape<4>},
    {"Conv3D", Conv3DShape},
    {"Conv3DBackpropFilter", LikeOfRank<1, 5>},
    {"Conv3DBackpropFilterV2", StatedOfRank<1, 5>},
    {"Conv3DBackpropInput", LikeOfRank<0, 5>},
    {"Conv3DBackpropInputV2", InputGradientShape<5>},
    {"DataFormatDimMap", Unchanged},
    {"DataFormatVecPermute", Unchanged},
    {"DepthwiseConv2dNative", DepthwiseShape},
    {"DepthwiseConv2dNativeBackpropFilter", StatedOfRank<1, 4>},
    {"DepthwiseConv2dNativeBackpropInput", InputGradientShape<4>},
    {"Dilation2D", DilationShape},
    {"Dilation2DBackpropFilter", LikeSecond},
    {"Dilation2DBackpropInput", Unchanged},
    {"Elu", Unchanged},
    {"EluGrad", GradientShape},
    {"FractionalAvgPool", FractionalPoolShape},
    {"FractionalAvgPoolGrad", StatedOfRank<0, 4>},
    {"FractionalMaxPool", FractionalPoolShape},
    {"FractionalMaxPoolGrad", LikeOfRank<0, 4>},
    {"FusedBatchNorm", FusedBatchNormShape},
    {"FusedBatchNormGrad", FusedBatchNormGradShape},
    {"FusedBatchNormGradV2", FusedBatchNormGradShape},
    {"FusedBatchNormGradV3", FusedBatchNormGradShape},
    {"FusedBatchNormV2", FusedBatchNormShape},
    {"FusedBatchNormV3", FusedBatchNormShape},
    {"FusedPadConv2D", FusedConvolutionShape},
    {"FusedResizeAndPadConv2D", FusedConvolutionShape},
    {"GatherTree", Unchanged},
    {"HyperplaneLSHProbes", NothingKnown},
    {"InTopK", InTopKShape},
    {"InTopKV2", InTopKShape},
    {"IsotonicRegression", Unchanged},
    {"LRN", LikeOfRank<0, 4>},
    {"LRNGrad", LrnGradShape},
    {"LeakyRelu", Unchanged},
    {"LeakyReluGrad", GradientShape},
    {"LogSoftmax", Unchanged},
    {"MaxPool", Pool2DShape},
    {"MaxPool3D", Pool3DShape},
    {"MaxPool3DGrad", LikeOfRank<0, 5>},
    {"MaxPool3DGradGrad", PoolGradGradShape<5>},
    {"MaxPoolGrad", LikeOfRank<0, 4>},
    {"MaxPoolGradGrad", PoolGradGradShape<4>},
    {"MaxPoolGradGradV2", LikeOfRank<1, 4>},
    {"MaxPoolGradV2", LikeOfRank<0, 4>},
    {"MaxPoolGradWithArgmax", LikeOfRank<0, 4>},
    {"MaxPoolV2", MaxPoolV2Shape},
    {"MaxPoolWithArgmax", Pool2DShape},
    {"NegTrain", NoOutputs},
    {"NthElement", NthElementShape},
    {"Relu", Unchanged},
    {"Relu6", Unchanged},
    {"Relu6Grad", GradientShape},
    {"ReluGrad", GradientShape},
    {"Selu", Unchanged},
    {"SeluGrad", GradientShape},
    {"SkipGramGenerateCandidates", VectorOfUnknownSize},
    {"Skipgram", SkipgramShape},
    {"Softmax", Unchanged},
    {"SoftmaxCrossEntropyWithLogits", SoftmaxLossShape},
    {"Softplus", Unchanged},
    {"SoftplusGrad", GradientShape},
    {"Softsign", Unchanged},
    {"SoftsignGrad", GradientShape},
    {"SparseSoftmaxCrossEntropyWithLogits", SparseSoftmaxLossShape},
    {"TopK", TopKShape},
    {"TopKV2", TopKV2Shape},
    {"_FusedConv2D", Conv2DShape},
    {"_FusedReluGrad", FusedReluGradShape},
};

}  // namespace

absl::Span<const ShapeRule> NnRules() { return kRules; }

}  // namespace sluice::graph
