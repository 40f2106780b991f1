// SPDX-License-Identifier: Apache-2.0
// Fused batch normalization (Ioffe and Szegedy, 2015) and its gradient. Statistics are always
// float.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/match.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Adds up `per_row(row, sums)` over [0, rows) for `width` sums. Blocks of a fixed number of rows
// are summed in float, then the blocks in double, so the result does not depend on the threads.
template <typename PerRow>
std::vector<double> SumRows(WorkQueue* pool, int64_t rows, int64_t width, const PerRow& per_row) {
  constexpr int64_t kBlock = 128;
  const int64_t blocks = (rows + kBlock - 1) / kBlock;
  std::vector<float> partial(blocks * width, 0.0f);
  ParallelFor(pool, blocks, 0.5 * kBlock * width, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) {
      float* sums = partial.data() + b * width;
      const int64_t last = std::min(rows, (b + 1) * kBlock);
      for (int64_t row = b * kBlock; row < last; ++row) per_row(row, sums);
    }
  });
  std::vector<double> total(width, 0.0);
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t i = 0; i < width; ++i) total[i] += partial[b * width + i];
  }
  return total;
}

// Copies a vector of doubles as floats, each multiplied by `by`.
std::vector<float> Scaled(absl::Span<const double> values, double by) {
  std::vector<float> out(values.size());
  for (size_t i = 0; i < values.size(); ++i) out[i] = static_cast<float>(values[i] * by);
  return out;
}

// The common part of all forms of the op.
struct Norm {
  float epsilon, factor = 1;
  bool training, channels_first;
  bool volumes;    // the third version accepts images of three dimensions too
  bool of_planes;  // data_format has two dimensions of space

  static absl::StatusOr<Norm> Create(const NodeSpec& node) {
    Norm made;
    SLUICE_ASSIGN(made.epsilon, node.Get<float>("epsilon"));
    SLUICE_ASSIGN(made.training, node.Get<bool>("is_training"));
    SLUICE_ASSIGN(made.channels_first, ChannelsFirst(node));
    made.volumes = absl::EndsWith(node.op, "V3");
    const auto format = GetAttrOr<std::string>(node.attrs, "data_format", "NHWC");
    made.of_planes = format.size() == 4;
    made.factor = GetAttrOr(node.attrs, "exponential_avg_factor", 1.0f);
    return made;
  }

  absl::Status CheckImages(const Shape& x) const {
    // As in all versions, only training uses the format.
    if (x.rank() == 4 || (volumes && x.rank() == 5 && !(training && of_planes)))
      return absl::OkStatus();
    return InvalidArgument("input must be 4-dimensional", x);
  }
  int64_t Channels(const Shape& x) const { return x.dim(channels_first ? 1 : x.rank() - 1); }

  static absl::Status CheckVector(absl::string_view name, const Tensor& vector, int64_t channels) {
    if (vector.rank() != 1) {
      return InvalidArgument(name, " must be 1-dimensional", vector.shape());
    }
    if (vector.dim(0) == channels) return absl::OkStatus();
    return InvalidArgument(name,
                           " must have the same number of elements as the channels of x, got ",
                           vector.dim(0), " and ", channels);
  }

  // Images as float with channels last.
  absl::StatusOr<Tensor> Ordered(KernelContext& ctx, const Tensor& images) const {
    SLUICE_ASSIGN(Tensor wide, ToFloat(ctx, images));
    if (!channels_first || images.num_elements() == 0) return wide;
    return ToChannelsLast(ctx, wide);
  }
  // The tensor for such a result: `out` itself if it has this form.
  absl::StatusOr<Tensor> ResultFor(KernelContext& ctx, const Tensor& out,
                                   const Tensor& like) const {
    if (!channels_first && out.dtype() == kFloat) return out;
    return ctx.AllocateTemporary(kFloat, like.shape());
  }
  absl::Status Finish(KernelContext& ctx, const Tensor& result, Tensor& out) const {
    if (!channels_first) {
      return out.dtype() == kFloat ? absl::OkStatus() : FromFloat(ctx, result, out);
    }
    if (out.dtype() == kFloat) return FromChannelsLast(ctx, result, out);
    SLUICE_ASSIGN(Tensor narrow, ctx.AllocateTemporary(out.dtype(), result.shape()));
    SLUICE_RETURN_IF_ERROR(FromFloat(ctx, result, narrow));
    return FromChannelsLast(ctx, narrow, out);
  }
};

struct FusedBatchNorm {
  Norm norm;
  bool third_reserve;

  static absl::StatusOr<FusedBatchNorm> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Norm norm, Norm::Create(node));
    return FusedBatchNorm{norm, absl::string_view(node.op) == "FusedBatchNormV3"};
  }

  struct Statistics {
    std::vector<float> mean, variance;  // the variance is divided by the count
  };
  static Statistics Measure(WorkQueue* pool, const float* x, int64_t rows, int64_t channels) {
    const double by = rows == 0 ? std::numeric_limits<double>::quiet_NaN() : 1.0 / rows;
    Statistics s;
    s.mean = Scaled(SumRows(pool, rows, channels,
                            [&](int64_t row, float* sums) {
                              const float* in = x + row * channels;
                              for (int64_t c = 0; c < channels; ++c) sums[c] += in[c];
                            }),
                    by);
    s.variance = Scaled(SumRows(pool, rows, channels,
                                [&](int64_t row, float* sums) {
                                  const float* in = x + row * channels;
                                  for (int64_t c = 0; c < channels; ++c) {
                                    const float d = in[c] - s.mean[c];
                                    sums[c] += d * d;
                                  }
                                }),
                        by);
    return s;
  }

  absl::Status Check(KernelContext& ctx, int64_t channels) const {
    SLUICE_RETURN_IF_ERROR(Norm::CheckVector("scale", ctx.input(1), channels));
    SLUICE_RETURN_IF_ERROR(Norm::CheckVector("offset", ctx.input(2), channels));
    if (norm.training && norm.factor == 1.0f) return absl::OkStatus();
    SLUICE_RETURN_IF_ERROR(Norm::CheckVector("estimated_mean", ctx.input(3), channels));
    return Norm::CheckVector("estimated_variance", ctx.input(4), channels);
  }

  // Outputs 1 to 5.
  absl::Status WriteStatistics(KernelContext& ctx, const Statistics& s, int64_t rows) const {
    const int64_t channels = static_cast<int64_t>(s.mean.size());
    float* out[4];
    for (int i = 0; i < 4; ++i) {
      SLUICE_ASSIGN(Tensor * vector, ctx.AllocateOutput(i + 1, Shape{channels}));
      out[i] = vector->mutable_data<float>();
    }
    // The output variance is the unbiased one.
    const float unbiased = norm.training ? static_cast<float>(rows) /
                                               static_cast<float>(std::max<int64_t>(1, rows - 1))
                                         : 1.0f;
    const bool averages = norm.training && norm.factor != 1.0f;
    for (int64_t c = 0; c < channels; ++c) {
      out[0][c] = s.mean[c];
      out[1][c] = s.variance[c] * unbiased;
      out[2][c] = s.mean[c];
      out[3][c] = s.variance[c];
      if (!averages) continue;
      const float f = norm.factor;
      out[0][c] = (1 - f) * ctx.input(3).data<float>()[c] + f * out[0][c];
      out[1][c] = (1 - f) * ctx.input(4).data<float>()[c] + f * out[1][c];
    }
    if (!third_reserve) return absl::OkStatus();
    SLUICE_ASSIGN(Tensor * reserve, ctx.AllocateOutput(5, Shape{}));
    *reserve->mutable_data<float>() = 0;
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(norm.CheckImages(x.shape()));
    const int64_t channels = norm.Channels(x.shape());
    SLUICE_RETURN_IF_ERROR(Check(ctx, channels));
    const int64_t rows = channels == 0 ? 0 : x.num_elements() / channels;
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(const Tensor in, norm.Ordered(ctx, x));
    Statistics s;
    if (norm.training) {
      s = Measure(ctx.pool(), in.data<float>(), rows, channels);
    } else {
      const auto mean = ctx.input(3).flat<float>(), variance = ctx.input(4).flat<float>();
      s.mean.assign(mean.begin(), mean.end());
      s.variance.assign(variance.begin(), variance.end());
    }
    SLUICE_RETURN_IF_ERROR(WriteStatistics(ctx, s, rows));
    if (rows == 0) return absl::OkStatus();
    SLUICE_ASSIGN(Tensor result, norm.ResultFor(ctx, *out, in));
    Normalize(ctx, s, in.data<float>(), rows, channels, result.mutable_data<float>());
    return norm.Finish(ctx, result, *out);
  }

  void Normalize(KernelContext& ctx, const Statistics& s, const float* x, int64_t rows,
                 int64_t channels, float* y) const {
    const float* offset = ctx.input(2).data<float>();
    std::vector<float> slope(channels);
    for (int64_t c = 0; c < channels; ++c) {
      slope[c] = ctx.input(1).data<float>()[c] / std::sqrt(s.variance[c] + norm.epsilon);
    }
    ParallelFor(ctx.pool(), rows, 0.5 * channels, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * channels; i < end * channels; i += channels) {
        for (int64_t c = 0; c < channels; ++c) {
          y[i + c] = (x[i + c] - s.mean[c]) * slope[c] + offset[c];
        }
      }
    });
  }
};

struct FusedBatchNormGrad {
  Norm norm;

  static absl::StatusOr<FusedBatchNormGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Norm norm, Norm::Create(node));
    return FusedBatchNormGrad{norm};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& dy = ctx.input(0);
    const Tensor& x = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(norm.CheckImages(x.shape()));
    if (!(dy.shape() == x.shape())) {
      return InvalidArgument("x and y_backprop must have same shape, but x has shape ", x.shape(),
                             " and y_backprop has shape ", dy.shape());
    }
    const int64_t channels = norm.Channels(x.shape());
    SLUICE_RETURN_IF_ERROR(Norm::CheckVector("scale", ctx.input(2), channels));
    SLUICE_RETURN_IF_ERROR(Norm::CheckVector("saved mean", ctx.input(3), channels));
    SLUICE_RETURN_IF_ERROR(Norm::CheckVector("saved variance", ctx.input(4), channels));
    SLUICE_ASSIGN(Tensor * dx, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor * dscale, ctx.AllocateOutput(1, Shape{channels}));
    SLUICE_ASSIGN(Tensor * doffset, ctx.AllocateOutput(2, Shape{channels}));
    for (int i : {3, 4}) SLUICE_RETURN_IF_ERROR(ctx.AllocateOutput(i, Shape{0}).status());

    // without images, the saved statistics are NaN and the gradients are 0
    if (x.num_elements() == 0) {
      std::fill_n(dscale->mutable_data<float>(), channels, 0.0f);
      std::fill_n(doffset->mutable_data<float>(), channels, 0.0f);
      return absl::OkStatus();
    }

    SLUICE_ASSIGN(const Tensor in, norm.Ordered(ctx, x));
    SLUICE_ASSIGN(const Tensor grad, norm.Ordered(ctx, dy));
    SLUICE_ASSIGN(Tensor result, norm.ResultFor(ctx, *dx, in));
    Compute(ctx, grad.data<float>(), in.data<float>(), x.num_elements() / channels, channels,
            result.mutable_data<float>(), dscale->mutable_data<float>(),
            doffset->mutable_data<float>());
    return norm.Finish(ctx, result, *dx);
  }

  void Compute(KernelContext& ctx, const float* dy, const float* x, int64_t rows, int64_t channels,
               float* dx, float* dscale, float* doffset) const {
    const float* scale = ctx.input(2).data<float>();
    const float* mean = ctx.input(3).data<float>();
    const float* variance = ctx.input(4).data<float>();
    // Sums of dy, then of dy * (x - mean).
    const std::vector<double> sums =
        SumRows(ctx.pool(), rows, 2 * channels, [&](int64_t row, float* sum) {
          const float* g = dy + row * channels;
          const float* in = x + row * channels;
          for (int64_t c = 0; c < channels; ++c) {
            sum[c] += g[c];
            sum[channels + c] += g[c] * (in[c] - mean[c]);
          }
        });
    // dx = slope * (dy - dy_mean - (x - mean) * pull); only slope * dy if the statistics were
    // constants.
    std::vector<float> slope(channels), dy_mean(channels, 0.0f), pull(channels, 0.0f);
    for (int64_t c = 0; c < channels; ++c) {
      const float root = 1.0f / std::sqrt(variance[c] + norm.epsilon);
      slope[c] = scale[c] * root;
      doffset[c] = static_cast<float>(sums[c]);
      dscale[c] = static_cast<float>(sums[channels + c]) * root;
      if (!norm.training) continue;
      dy_mean[c] = static_cast<float>(sums[c] / rows);
      pull[c] = static_cast<float>(sums[channels + c] / rows) * root * root;
    }
    ParallelFor(ctx.pool(), rows, 0.8 * channels, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin * channels; i < end * channels; i += channels) {
        for (int64_t c = 0; c < channels; ++c) {
          const float centered = x[i + c] - mean[c];
          dx[i + c] = slope[c] * (dy[i + c] - dy_mean[c] - centered * pull[c]);
        }
      }
    });
  }
};

}  // namespace

void RegisterBatchNorm(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> types{{"T", {kHalf, kBfloat16, kFloat}}, {"U", kFloat}};
  kernels.Add<FusedBatchNorm>("FusedBatchNorm", kCpu, {{"T", kFloat}});
  kernels.Add<FusedBatchNorm>("FusedBatchNormV2", kCpu, types);
  kernels.Add<FusedBatchNorm>("FusedBatchNormV3", kCpu, types);
  kernels.Add<FusedBatchNormGrad>("FusedBatchNormGrad", kCpu, {{"T", kFloat}});
  kernels.Add<FusedBatchNormGrad>("FusedBatchNormGradV2", kCpu, types);
  kernels.Add<FusedBatchNormGrad>("FusedBatchNormGradV3", kCpu, types);
}

}  // namespace sluice::kernels
