// SPDX-License-Identifier: Apache-2.0
// Fused batch normalization (Ioffe and Szegedy, 2015) and its gradient. Statistics are always
// float.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/batch_norm_plan.h"
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

// The common part of all forms of the op: images are computed in float with channels last.
struct Norm : BatchNormOp {
  static absl::StatusOr<Norm> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const BatchNormOp op, BatchNormOp::Create(node));
    return Norm{op};
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

  static absl::StatusOr<FusedBatchNorm> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const Norm norm, Norm::Create(node));
    return FusedBatchNorm{norm};
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

  // Outputs 1 to 5.
  absl::Status WriteStatistics(KernelContext& ctx, const Statistics& s,
                               const BatchNormSizes& sizes) const {
    const int64_t channels = sizes.channels;
    float* out[4];
    for (int i = 0; i < 4; ++i) {
      SLUICE_ASSIGN(Tensor * vector, ctx.AllocateOutput(i + 1, Shape{channels}));
      out[i] = vector->mutable_data<float>();
    }
    const float unbiased = norm.training ? sizes.unbiased() : 1.0f;
    for (int64_t c = 0; c < channels; ++c) {
      out[0][c] = s.mean[c];
      out[1][c] = s.variance[c] * unbiased;
      out[2][c] = s.mean[c];
      out[3][c] = s.variance[c];
      if (!norm.averages()) continue;
      const float f = norm.factor;
      out[0][c] = (1 - f) * ctx.input(3).data<float>()[c] + f * out[0][c];
      out[1][c] = (1 - f) * ctx.input(4).data<float>()[c] + f * out[1][c];
    }
    if (!norm.third_reserve) return absl::OkStatus();
    SLUICE_ASSIGN(Tensor * reserve, ctx.AllocateOutput(5, Shape{}));
    *reserve->mutable_data<float>() = 0;
    return absl::OkStatus();
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const BatchNormSizes sizes, norm.Plan(ctx));
    const auto [rows, channels] = sizes;
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
    SLUICE_RETURN_IF_ERROR(WriteStatistics(ctx, s, sizes));
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
    const Tensor& x = ctx.input(1);
    SLUICE_ASSIGN(const BatchNormSizes sizes, norm.PlanGradient(ctx));
    const int64_t channels = sizes.channels;
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
    SLUICE_ASSIGN(const Tensor grad, norm.Ordered(ctx, ctx.input(0)));
    SLUICE_ASSIGN(Tensor result, norm.ResultFor(ctx, *dx, in));
    Compute(ctx, grad.data<float>(), in.data<float>(), sizes.rows, channels,
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
