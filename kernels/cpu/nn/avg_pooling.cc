// SPDX-License-Identifier: Apache-2.0
// Average pooling of images and of volumes, with gradients.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/simd.h"
#include "kernels/cpu/nn/pool.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Averages are over the input elements of a window, not over its padding.
struct AvgPool {
  static constexpr int64_t kBlock = 32;
  Pool pool;

  static absl::StatusOr<AvgPool> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    return AvgPool{std::move(pool)};
  }

  // The averages of `n` channels from `channel` on. If n is kBlock, the sums stay in registers.
  template <typename T>
  static void Channels(const PoolSizes& s, const T* image, int64_t oy, int64_t ox, int64_t channel,
                       int64_t n, T* out) {
    using C = ComputeType<T>;
    C sum[kBlock] = {};
    const int64_t count = ForEachPixel(s, oy, ox, [&](int64_t pixel) {
      const T* in = image + pixel * s.channels + channel;
      for (int64_t c = 0; c < n; ++c) sum[c] += static_cast<C>(in[c]);
    });
    const C by = static_cast<C>(std::max<int64_t>(1, count));
    for (int64_t c = 0; c < n; ++c) out[channel + c] = T(sum[c] / by);
  }

  template <typename T>
  static void Row(const PoolSizes& s, const T* image, int64_t oy, T* out) {
    for (int64_t ox = 0; ox < s.width.out; ++ox, out += s.channels) {
      int64_t channel = 0;
      for (; channel + kBlock <= s.channels; channel += kBlock)
        Channels(s, image, oy, ox, channel, kBlock, out);
      if (channel < s.channels) Channels(s, image, oy, ox, channel, s.channels - channel, out);
    }
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, ctx.input(0).shape(), false));
    SLUICE_ASSIGN(const Shape shape, pool.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const Tensor in, pool.Ordered(ctx, ctx.input(0)));
    SLUICE_ASSIGN(Tensor result, pool.OrderedResult(ctx, *out));
    SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), s.batch * s.out_rows(), s.pixel_cost() * s.width.out,
                  [&](int64_t begin, int64_t end) {
                    WithWidestVectors([&] {
                      for (int64_t row = begin; row < end; ++row) {
                        Row(s, in.data<T>() + row / s.out_rows() * s.in_image(), row % s.out_rows(),
                            result.mutable_data<T>() + row * s.width.out * s.channels);
                      }
                    });
                  });
      return absl::OkStatus();
    }));
    return pool.Finish(ctx, result, *out);
  }
};

struct AvgPoolGrad {
  Pool pool;

  static absl::StatusOr<AvgPoolGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    return AvgPoolGrad{std::move(pool)};
  }

  template <typename T>
  static void Image(const PoolSizes& s, const T* grad, T* out) {
    using C = ComputeType<T>;
    std::vector<C> share(s.channels);
    for (int64_t oy = 0; oy < s.out_rows(); ++oy) {
      for (int64_t ox = 0; ox < s.width.out; ++ox, grad += s.channels) {
        const int64_t count = ForEachPixel(s, oy, ox, [](int64_t) {});
        const C by = static_cast<C>(std::max<int64_t>(1, count));
        for (int64_t c = 0; c < s.channels; ++c) share[c] = static_cast<C>(grad[c]) / by;
        ForEachPixel(s, oy, ox, [&](int64_t pixel) {
          T* to = out + pixel * s.channels;
          for (int64_t c = 0; c < s.channels; ++c) to[c] = T(static_cast<C>(to[c]) + share[c]);
        });
      }
    }
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const Shape shape, PooledImageShape(pool, ctx.input(0)));
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, shape, false));
    SLUICE_ASSIGN(const Shape pooled, pool.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_backprop", ctx.input(1).shape(), pooled));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const Tensor grad, pool.Ordered(ctx, ctx.input(1)));
    SLUICE_ASSIGN(Tensor result, pool.OrderedResult(ctx, *out));
    std::memset(result.raw(), 0, result.bytes());
    SLUICE_RETURN_IF_ERROR(VisitDType(FloatingTypes{}, grad.dtype(), [&]<typename T>(Type<T>) {
      ParallelFor(ctx.pool(), s.batch, 2 * s.pixel_cost() * s.out_rows() * s.width.out,
                  [&](int64_t begin, int64_t end) {
                    for (int64_t n = begin; n < end; ++n) {
                      Image(s, grad.data<T>() + n * s.out_image(),
                            result.mutable_data<T>() + n * s.in_image());
                    }
                  });
      return absl::OkStatus();
    }));
    return pool.Finish(ctx, result, *out);
  }
};

}  // namespace

void RegisterAvgPooling(KernelRegistry& kernels) {
  for (const char* op : {"AvgPool", "AvgPool3D"}) {
    kernels.Add<AvgPool>(op, kCpu, {{"T", kFloating}});
  }
  for (const char* op : {"AvgPoolGrad", "AvgPool3DGrad"}) {
    kernels.Add<AvgPoolGrad>(op, kCpu, {{"T", kFloating}});
  }
}

}  // namespace sluice::kernels
