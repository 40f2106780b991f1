// SPDX-License-Identifier: Apache-2.0
// Local response normalization (Krizhevsky, Sutskever and Hinton, 2012) and its gradient. Alpha is
// not divided by the size of the window.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/nn/lrn_plan.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/common/simd.h"
#include "kernels/cpu/common/vector_math.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

struct Response : LrnPlan {
  static constexpr int64_t kFew = 16;  // for radii up to this, each channel's sum is computed anew

  // sums[c] = sum of values[d] for |d - c| <= radius. kFew values before and after are set to 0.
  template <typename C>
  void Sum(C* values, int64_t channels, C* sums) const {
    if (radius > kFew) return RunningSum(values, channels, sums);
    std::fill_n(values - kFew, kFew, C(0));
    std::fill_n(values + channels, kFew, C(0));
    int64_t c = 0;
    for (; c + kFew <= channels; c += kFew) {  // the sums stay in registers
      C sum[kFew] = {};
      for (int64_t d = c - radius; d <= c + radius; ++d) {
        for (int64_t j = 0; j < kFew; ++j) sum[j] += values[d + j];
      }
      std::copy_n(sum, kFew, sums + c);
    }
    for (; c < channels; ++c)
      sums[c] = std::accumulate(values + c - radius, values + c + radius + 1, C(0));
  }

  template <typename C>
  void RunningSum(const C* values, int64_t channels, C* sums) const {
    const int64_t reach = std::min(radius, channels);
    double sum = 0;
    for (int64_t d = 0; d < std::min(reach, channels); ++d) sum += values[d];
    for (int64_t c = 0; c < channels; ++c) {
      if (c + reach < channels) sum += values[c + reach];
      if (c - reach - 1 >= 0) sum -= values[c - reach - 1];
      sums[c] = static_cast<C>(sum);
    }
  }

  // norm[c] = bias + alpha * (sum of squares); `squares` is scratch.
  template <typename C>
  void Norms(const float* x, int64_t channels, C* squares, C* norm) const {
    for (int64_t c = 0; c < channels; ++c) squares[c] = static_cast<C>(x[c]) * x[c];
    Sum(squares, channels, norm);
    for (int64_t c = 0; c < channels; ++c) norm[c] = bias + alpha * norm[c];
  }
  // norm = norm to the power of -beta. The array has room for whole blocks of kFew, in which all
  // elements are computed.
  template <typename C>
  void Factors(C* norm, int64_t channels) const {
    const int64_t blocks = (channels + kFew - 1) / kFew, n = blocks * kFew;
    std::fill(norm + channels, norm + n, C(1));
    const C power = -static_cast<C>(beta);
    if (beta == 0.5f) {
      for (int64_t c = 0; c < n; ++c) norm[c] = 1 / std::sqrt(norm[c]);
    } else if (beta == 1.0f) {
      for (int64_t c = 0; c < n; ++c) norm[c] = 1 / norm[c];
    } else {
      for (int64_t c = 0; c < n; ++c) norm[c] = std::pow(norm[c], power);
    }
  }
};

// Runs fn(row) for all rows of channels. The scratch vectors have one entry per channel; the first
// has room around it.
template <typename C, typename Fn>
absl::Status ForEachRow(KernelContext& ctx, const Shape& shape, const Fn& fn) {
  const int64_t channels = shape.dim(3);
  if (shape.num_elements() == 0) return absl::OkStatus();
  ParallelFor(ctx.pool(), shape.num_elements() / channels, 10.0 * channels,
              [&](int64_t begin, int64_t end) {
                constexpr int64_t kFew = Response::kFew;
                std::vector<C> a(channels + 2 * kFew), b(channels + kFew), c(channels);
                WithWidestVectors([&] {
                  for (int64_t row = begin; row < end; ++row) {
                    fn(row * channels, channels, a.data() + kFew, b.data(), c.data());
                  }
                });
              });
  return absl::OkStatus();
}

struct Lrn {
  Response response;

  static absl::StatusOr<Lrn> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const LrnPlan plan, LrnPlan::Create(node));
    return Lrn{{plan}};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(LrnPlan::CheckInput(ctx));
    SLUICE_ASSIGN(const Tensor x, ToFloat(ctx, in));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, in.shape()));
    Tensor y = *out;
    if (in.dtype() != kFloat) {
      SLUICE_ASSIGN(y, ctx.AllocateTemporary(kFloat, in.shape()));
    }
    SLUICE_RETURN_IF_ERROR(ForEachRow<float>(
        ctx, in.shape(), [&](int64_t at, int64_t channels, float* squares, float* norm, float*) {
          const float* from = x.data<float>() + at;
          float* to = y.mutable_data<float>() + at;
          response.Norms(from, channels, squares, norm);
          response.Factors(norm, channels);
          for (int64_t c = 0; c < channels; ++c) to[c] = from[c] * norm[c];
        }));
    return in.dtype() == kFloat ? absl::OkStatus() : FromFloat(ctx, y, *out);
  }
};

struct LrnGrad {
  Response response;

  static absl::StatusOr<LrnGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const LrnPlan plan, LrnPlan::Create(node));
    return LrnGrad{{plan}};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape& shape = ctx.input(0).shape();
    SLUICE_RETURN_IF_ERROR(LrnPlan::CheckGradients(ctx));
    SLUICE_ASSIGN(const Tensor grads, ToFloat(ctx, ctx.input(0)));
    SLUICE_ASSIGN(const Tensor x, ToFloat(ctx, ctx.input(1)));
    SLUICE_ASSIGN(const Tensor y, ToFloat(ctx, ctx.input(2)));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    Tensor dx = *out;
    if (out->dtype() != kFloat) {
      SLUICE_ASSIGN(dx, ctx.AllocateTemporary(kFloat, shape));
    }
    SLUICE_RETURN_IF_ERROR(ForEachRow<double>(
        ctx, shape, [&](int64_t at, int64_t channels, double* values, double* norm, double* sums) {
          const float* g = grads.data<float>() + at;
          const float* in = x.data<float>() + at;
          const float* image = y.data<float>() + at;
          float* to = dx.mutable_data<float>() + at;
          response.Norms(in, channels, values, norm);
          for (int64_t c = 0; c < channels; ++c) values[c] = g[c] * image[c] / norm[c];
          response.Sum(values, channels, sums);
          response.Factors(norm, channels);
          const double by = 2.0 * response.alpha * response.beta;
          for (int64_t c = 0; c < channels; ++c) {
            to[c] = static_cast<float>(g[c] * norm[c] - by * in[c] * sums[c]);
          }
        }));
    return out->dtype() == kFloat ? absl::OkStatus() : FromFloat(ctx, dx, *out);
  }
};

}  // namespace

void RegisterLrn(KernelRegistry& kernels) {
  const DTypeSet types{kHalf, kBfloat16, kFloat};
  kernels.Add<Lrn>("LRN", kCpu, {{"T", types}});
  kernels.Add<LrnGrad>("LRNGrad", kCpu, {{"T", types}});
}

}  // namespace sluice::kernels
