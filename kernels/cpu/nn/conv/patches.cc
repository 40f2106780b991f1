// SPDX-License-Identifier: Apache-2.0
// Convolution as a product of matrices: the patches under the window, one per row, times the
// filter.
#include <algorithm>
#include <type_traits>

#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/gemm.h"
#include "kernels/cpu/common/try_each.h"
#include "kernels/cpu/nn/conv/conv.h"

namespace sluice::kernels {
namespace {

template <typename T>
struct Patches {
  static constexpr int64_t kBytes = 256 << 10, kFewRows = 64;

  const ConvSizes& sizes;
  int64_t positions = sizes.out_pixels();  // per image
  int64_t group_in = sizes.in_channels / sizes.groups;
  int64_t group_out = sizes.out_channels / sizes.groups;
  int64_t depth = sizes.taps() * group_in;  // of a patch
  int64_t image = sizes.in_pixels() * sizes.in_channels;
  // Patches in one unit of work: they stay in a core's cache, unless they are very deep.
  int64_t chunk = std::clamp<int64_t>(kBytes / (depth * static_cast<int64_t>(sizeof(T))),
                                      std::min(kFewRows, positions), positions);
  int64_t chunks = (positions + chunk - 1) / chunk;  // of an image
  // Whether the taps of a row are side by side in the image, as they are in the patch.
  bool joined = sizes.groups == 1 && sizes.width.dilation == 1;

  // Calls fn(inside, pixel, patch, size) for all elements of the patches at positions [begin, end)
  // of an image, in order and a run at a time: whether it is inside the image, and where it begins
  // in the image and in the patches.
  template <typename Fn>
  void ForEachRun(int64_t begin, int64_t end, int64_t group, const Fn& fn) const {
    const Window &d = sizes.planes, &h = sizes.height, &w = sizes.width;
    int64_t patch = 0;
    for (int64_t p = begin; p < end; ++p) {
      const int64_t z0 = d.begin(p / (h.out * w.out));
      const int64_t y0 = h.begin(p / w.out % h.out), x0 = w.begin(p % w.out);
      for (int64_t i = 0; i < d.kernel; ++i) {
        for (int64_t j = 0; j < h.kernel; ++j) {
          const int64_t z = z0 + i * d.dilation, y = y0 + j * h.dilation;
          const bool inside = z >= 0 && z < d.in && y >= 0 && y < h.in;
          const int64_t row = (z * h.in + y) * w.in;
          if (joined) {
            Joined(inside, row, x0, patch, fn);
          } else {
            Separate(inside, row, x0, group * group_in, patch, fn);
          }
          patch += w.kernel * group_in;
        }
      }
    }
  }

  void Gather(const T* in, int64_t begin, int64_t end, int64_t group, T* patches) const {
    ForEachRun(begin, end, group, [&](bool inside, int64_t pixel, int64_t patch, int64_t size) {
      if (inside) {
        std::copy_n(in + pixel, size, patches + patch);
      } else {
        std::fill_n(patches + patch, size, T());
      }
    });
  }
  void ScatterAdd(const T* patches, int64_t begin, int64_t end, int64_t group, T* in) const {
    ForEachRun(begin, end, group, [&](bool inside, int64_t pixel, int64_t patch, int64_t size) {
      if (!inside) return;
      for (int64_t c = 0; c < size; ++c) {
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

 private:
  // The taps of one row, from column x0 on.
  template <typename Fn>
  void Joined(bool inside, int64_t row, int64_t x0, int64_t patch, const Fn& fn) const {
    const Window& w = sizes.width;
    const int64_t first = inside ? std::clamp<int64_t>(-x0, 0, w.kernel) : w.kernel;
    const int64_t last = std::clamp(w.in - x0, first, w.kernel);
    const int64_t size = group_in, from = (row + x0 + first) * sizes.in_channels;
    if (first > 0) fn(false, 0, patch, first * size);
    if (last > first) fn(true, from, patch + first * size, (last - first) * size);
    if (w.kernel > last) fn(false, 0, patch + last * size, (w.kernel - last) * size);
  }
  template <typename Fn>
  void Separate(bool inside, int64_t row, int64_t x0, int64_t channel, int64_t patch,
                const Fn& fn) const {
    const Window& w = sizes.width;
    for (int64_t tap = 0; tap < w.kernel; ++tap) {
      const int64_t x = x0 + tap * w.dilation;
      fn(inside && x >= 0 && x < w.in, (row + x) * sizes.in_channels + channel,
         patch + tap * group_in, group_in);
    }
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
  const int64_t chunks = patches.chunks;
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

// The sum of the gradients of units [begin, end). A unit is a chunk of an image's patches.
template <typename T>
absl::Status SumFilterGradients(const Patches<T>& patches, int64_t begin, int64_t end, const T* in,
                                const T* grad, WorkQueue* inner, T* out) {
  const ConvSizes& s = patches.sizes;
  SLUICE_ASSIGN(Tensor buffer, patches.Buffer());
  T* const rows = buffer.mutable_data<T>();
  std::fill_n(out, patches.depth * s.out_channels, T());
  for (int64_t unit = begin; unit < end; ++unit) {
    ThrowIfCancelled();
    const int64_t n = unit / patches.chunks;
    const int64_t first = unit % patches.chunks * patches.chunk;
    const int64_t last = std::min(patches.positions, first + patches.chunk);
    for (int64_t g = 0; g < s.groups; ++g) {
      patches.Gather(in + n * patches.image, first, last, g, rows);
      const T* from =
          grad + (n * patches.positions + first) * s.out_channels + g * patches.group_out;
      SLUICE_RETURN_IF_ERROR(Gemm<T>(inner, patches.depth, patches.group_out, last - first,
                                     {rows, patches.depth, true}, {from, s.out_channels},
                                     out + g * patches.group_out, s.out_channels, true));
    }
  }
  return absl::OkStatus();
}

// Each thread adds up the gradients of a part of the images, unless the filter is so large that
// adding up its parts would cost more than a product on all threads.
template <typename T>
absl::Status BackpropFilter(KernelContext& ctx, const ConvSizes& s, const T* in, const T* grad,
                            T* out) {
  constexpr int64_t kLargeFilter = 1 << 20;
  const Patches<T> patches{s};
  const int64_t filter = patches.depth * s.out_channels, units = s.batch * patches.chunks;
  const int64_t threads = ctx.pool() == nullptr ? 1 : ctx.pool()->num_threads();
  const int64_t parts = filter > kLargeFilter ? 1 : std::min(units, threads);
  if (parts < 2) return SumFilterGradients(patches, 0, units, in, grad, ctx.pool(), out);
  SLUICE_ASSIGN(const Shape others, Shape::Create({parts - 1, filter}));
  SLUICE_ASSIGN(Tensor sums, Tensor::Allocate(CpuAllocator(), kDTypeOf<T>, others));
  T* const more = sums.mutable_data<T>();
  const double cost = s.multiplications() / (8.0 * parts);
  SLUICE_RETURN_IF_ERROR(TryEach(ctx.pool(), parts, cost, [&](int64_t i) {
    return SumFilterGradients<T>(patches, units * i / parts, units * (i + 1) / parts, in, grad,
                                 nullptr, i == 0 ? out : more + (i - 1) * filter);
  }));
  for (int64_t i = 0; i + 1 < parts; ++i) {
    const T* const part = more + i * filter;
    for (int64_t j = 0; j < filter; ++j) out[j] += part[j];
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
