// SPDX-License-Identifier: Apache-2.0
// Convolution as a product of matrices: the patches under the window, one per row, times the
// filter.
#include <algorithm>
#include <type_traits>

#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/nn/conv.h"

namespace sluice::kernels {
namespace {

template <typename T>
struct Patches {
  const ConvSizes& sizes;
  int64_t positions = sizes.out_pixels();  // per image
  int64_t group_in = sizes.in_channels / sizes.groups;
  int64_t group_out = sizes.out_channels / sizes.groups;
  int64_t depth = sizes.taps() * group_in;  // of a patch
  int64_t image = sizes.in_pixels() * sizes.in_channels;
  // Patches in one unit of work: about a megabyte.
  int64_t chunk = std::clamp<int64_t>((1 << 20) / (depth * static_cast<int64_t>(sizeof(T))), 1,
                                      std::max<int64_t>(1, positions));

  // Calls fn(inside, pixel, patch) for each tap of positions [begin, end) of an image: whether the
  // tap is inside the image, and the offsets of its channels in the image and in the patches.
  template <typename Fn>
  void ForEachTap(int64_t begin, int64_t end, int64_t group, const Fn& fn) const {
    const Window &d = sizes.planes, &h = sizes.height, &w = sizes.width;
    int64_t patch = 0;
    for (int64_t p = begin; p < end; ++p) {
      const int64_t z0 = d.begin(p / (h.out * w.out));
      const int64_t y0 = h.begin(p / w.out % h.out), x0 = w.begin(p % w.out);
      for (int64_t tap = 0; tap < sizes.taps(); ++tap, patch += group_in) {
        const int64_t z = z0 + tap / (h.kernel * w.kernel) * d.dilation;
        const int64_t y = y0 + tap / w.kernel % h.kernel * h.dilation;
        const int64_t x = x0 + tap % w.kernel * w.dilation;
        const bool inside = z >= 0 && z < d.in && y >= 0 && y < h.in && x >= 0 && x < w.in;
        fn(inside, ((z * h.in + y) * w.in + x) * sizes.in_channels + group * group_in, patch);
      }
    }
  }

  void Gather(const T* in, int64_t begin, int64_t end, int64_t group, T* patches) const {
    ForEachTap(begin, end, group, [&](bool inside, int64_t pixel, int64_t patch) {
      if (inside) {
        std::copy_n(in + pixel, group_in, patches + patch);
      } else {
        std::fill_n(patches + patch, group_in, T());
      }
    });
  }
  void ScatterAdd(const T* patches, int64_t begin, int64_t end, int64_t group, T* in) const {
    ForEachTap(begin, end, group, [&](bool inside, int64_t pixel, int64_t patch) {
      if (!inside) return;
      for (int64_t c = 0; c < group_in; ++c) {
        if constexpr (std::is_integral_v<T>) {  // wraps
          using U = std::make_unsigned_t<T>;
          in[pixel + c] =
              static_cast<T>(static_cast<U>(in[pixel + c]) + static_cast<U>(patches[patch + c]));
        } else {
          in[pixel + c] += patches[patch + c];
        }
      }
    });
  }
  absl::StatusOr<Tensor> Buffer() const {
    SLUICE_ASSIGN(const Shape shape, Shape::Create({chunk, depth}));
    return Tensor::Allocate(CpuAllocator(), kDTypeOf<T>, shape);
  }
};

// Runs fn(unit, inner) for each of `count` units. Many units are sharded over the pool. If there
// are few, each uses the whole pool as `inner`.
template <typename Fn>
absl::Status ForEach(WorkQueue* pool, int64_t count, double cost, const Fn& fn) {
  const bool many = pool != nullptr && count >= pool->num_threads();
  WorkQueue* const inner = many ? nullptr : pool;
  return TryEach(many ? pool : nullptr, count, cost, [&](int64_t i) { return fn(i, inner); });
}

template <typename T>
absl::Status Forward(KernelContext& ctx, const ConvSizes& s, const T* in, const T* filter, T* out) {
  const Patches<T> patches{s};
  const int64_t chunks = (patches.positions + patches.chunk - 1) / patches.chunk;
  const double cost = s.multiplications() / (8.0 * s.batch * chunks);  // ns
  return ForEach(
      ctx.pool(), s.batch * chunks, cost, [&](int64_t unit, WorkQueue* inner) -> absl::Status {
        const int64_t n = unit / chunks;
        const int64_t begin = unit % chunks * patches.chunk;
        const int64_t end = std::min(patches.positions, begin + patches.chunk);
        SLUICE_ASSIGN(Tensor buffer, patches.Buffer());
        T* const rows = buffer.mutable_data<T>();
        for (int64_t g = 0; g < s.groups; ++g) {
          patches.Gather(in + n * patches.image, begin, end, g, rows);
          T* to = out + (n * patches.positions + begin) * s.out_channels + g * patches.group_out;
          SLUICE_RETURN_IF_ERROR(
              Gemm<T>(inner, end - begin, patches.group_out, patches.depth, {rows, patches.depth},
                      {filter + g * patches.group_out, s.out_channels}, to, s.out_channels));
        }
        return absl::OkStatus();
      });
}

template <typename T>
absl::Status BackpropInput(KernelContext& ctx, const ConvSizes& s, const T* grad, const T* filter,
                           T* out) {
  const Patches<T> patches{s};
  const double cost = s.multiplications() / (8.0 * s.batch);
  return ForEach(ctx.pool(), s.batch, cost, [&](int64_t n, WorkQueue* inner) -> absl::Status {
    SLUICE_ASSIGN(Tensor buffer, patches.Buffer());
    T* const rows = buffer.mutable_data<T>();
    T* const image = out + n * patches.image;
    std::fill_n(image, patches.image, T());
    for (int64_t begin = 0; begin < patches.positions; begin += patches.chunk) {
      ThrowIfCancelled();
      const int64_t end = std::min(patches.positions, begin + patches.chunk);
      for (int64_t g = 0; g < s.groups; ++g) {
        const T* from =
            grad + (n * patches.positions + begin) * s.out_channels + g * patches.group_out;
        SLUICE_RETURN_IF_ERROR(
            Gemm<T>(inner, end - begin, patches.depth, patches.group_out, {from, s.out_channels},
                    {filter + g * patches.group_out, s.out_channels, true}, rows, patches.depth));
        patches.ScatterAdd(rows, begin, end, g, image);
      }
    }
    return absl::OkStatus();
  });
}

template <typename T>
absl::Status BackpropFilter(KernelContext& ctx, const ConvSizes& s, const T* in, const T* grad,
                            T* out) {
  const Patches<T> patches{s};
  SLUICE_ASSIGN(Tensor buffer, patches.Buffer());
  T* const rows = buffer.mutable_data<T>();
  std::fill_n(out, patches.depth * s.out_channels, T());
  for (int64_t n = 0; n < s.batch; ++n) {
    for (int64_t begin = 0; begin < patches.positions; begin += patches.chunk) {
      ThrowIfCancelled();
      const int64_t end = std::min(patches.positions, begin + patches.chunk);
      for (int64_t g = 0; g < s.groups; ++g) {
        patches.Gather(in + n * patches.image, begin, end, g, rows);
        const T* from =
            grad + (n * patches.positions + begin) * s.out_channels + g * patches.group_out;
        SLUICE_RETURN_IF_ERROR(Gemm<T>(ctx.pool(), patches.depth, patches.group_out, end - begin,
                                       {rows, patches.depth, true}, {from, s.out_channels},
                                       out + g * patches.group_out, s.out_channels, true));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

template <typename T>
absl::Status PatchConv(KernelContext& ctx, ConvDirection direction, const ConvSizes& sizes,
                       const T* a, const T* b, T* out) {
  switch (direction) {
    case ConvDirection::kForward:
      return Forward(ctx, sizes, a, b, out);
    case ConvDirection::kBackpropInput:
      return BackpropInput(ctx, sizes, a, b, out);
    case ConvDirection::kBackpropFilter:
      return BackpropFilter(ctx, sizes, a, b, out);
  }
  return Internal("unknown direction of a convolution");
}

template absl::Status PatchConv<float>(KernelContext&, ConvDirection, const ConvSizes&,
                                       const float*, const float*, float*);
template absl::Status PatchConv<double>(KernelContext&, ConvDirection, const ConvSizes&,
                                        const double*, const double*, double*);
template absl::Status PatchConv<int32_t>(KernelContext&, ConvDirection, const ConvSizes&,
                                         const int32_t*, const int32_t*, int32_t*);

}  // namespace sluice::kernels
