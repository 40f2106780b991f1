// SPDX-License-Identifier: Apache-2.0
// Max pooling of images and of volumes, with gradients. Loops run over channels, which are last.
#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/cpu/common/simd.h"
#include "kernels/cpu/nn/pool.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

// Runs a loop on elements of T: of floats with the widest vectors.
template <typename T, typename Loop>
void WithWidest(const Loop& loop) {
  if constexpr (std::is_same_v<T, float>)
    WithWidestVectors(loop);
  else
    loop();
}

// A NaN is never larger: it is skipped.
template <typename T>
void MaxRow(const PoolSizes& s, const T* image, int64_t oy, T* out) {
  using C = ComputeType<T>;
  std::fill_n(out, s.width.out * s.channels, std::numeric_limits<T>::lowest());
  for (int64_t ox = 0; ox < s.width.out; ++ox, out += s.channels) {
    ForEachPixel(s, oy, ox, [&](int64_t pixel) {
      const T* in = image + pixel * s.channels;
#pragma GCC ivdep
      for (int64_t c = 0; c < s.channels; ++c) {
        out[c] = static_cast<C>(out[c]) < static_cast<C>(in[c]) ? in[c] : out[c];
      }
    });
  }
}

template <typename T>
void MaxOverDepth(const PoolSizes& s, const T* in, T* out) {
  using C = ComputeType<T>;
  const int64_t count = s.batch * s.out_image();
  for (int64_t i = 0; i < count; ++i) {
    T max = std::numeric_limits<T>::lowest();
    for (int64_t j = i * s.depth.kernel; j < (i + 1) * s.depth.kernel; ++j) {
      max = static_cast<C>(max) < static_cast<C>(in[j]) ? in[j] : max;
    }
    out[i] = max;
  }
}

struct MaxPool {
  Pool pool;

  static absl::StatusOr<MaxPool> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    return MaxPool{std::move(pool)};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, ctx.input(0).shape(), true));
    SLUICE_ASSIGN(const Shape shape, pool.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const Tensor in, pool.Ordered(ctx, ctx.input(0)));
    SLUICE_ASSIGN(Tensor result, pool.OrderedResult(ctx, *out));
    SLUICE_RETURN_IF_ERROR(VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      const T* from = in.data<T>();
      T* to = result.mutable_data<T>();
      if (s.depth.kernel > 1) {
        MaxOverDepth(s, from, to);
        return absl::OkStatus();
      }
      ParallelFor(ctx.pool(), s.batch * s.out_rows(), s.pixel_cost() * s.width.out,
                  [&](int64_t begin, int64_t end) {
                    const auto rows = [&] {
                      for (int64_t row = begin; row < end; ++row) {
                        MaxRow(s, from + row / s.out_rows() * s.in_image(), row % s.out_rows(),
                               to + row * s.width.out * s.channels);
                      }
                    };
                    WithWidest<T>(rows);
                  });
      return absl::OkStatus();
    }));
    return pool.Finish(ctx, result, *out);
  }
};

// Finds for one output pixel, for each channel, the first pixel with the largest value. A NaN that
// comes first stays.
template <typename T>
struct ArgMax {
  std::vector<T> best;
  // -1: the window contains only padding. 32 bits halve the work of the vector units.
  std::vector<int32_t> pixel;

  explicit ArgMax(int64_t channels) : best(channels), pixel(channels) {}

  void Find(const PoolSizes& s, const T* image, int64_t oy, int64_t ox) {
    bool first = true;
    std::fill(pixel.begin(), pixel.end(), -1);
    ForEachPixel(s, oy, ox, [&](int64_t at) {
      const T* in = image + at * s.channels;
      if (std::exchange(first, false)) {
        std::copy_n(in, s.channels, best.data());
        std::fill(pixel.begin(), pixel.end(), static_cast<int32_t>(at));
      } else {
        Keep(in, static_cast<int32_t>(at), s.channels, best.data(), pixel.data());
      }
    });
  }

  // Sets `to` to `grad` in the channels whose largest value is at a pixel, to zero in the others.
  void Select(int32_t at, int64_t channels, const T* grad, T* to) const {
    const int32_t* const where = pixel.data();
#pragma GCC ivdep
    for (int64_t c = 0; c < channels; ++c) to[c] = where[c] == at ? grad[c] : T(0);
  }

 private:
  static void Keep(const T* in, int32_t at, int64_t channels, T* best, int32_t* pixel) {
    using C = ComputeType<T>;
#pragma GCC ivdep
    for (int64_t c = 0; c < channels; ++c) {
      const bool larger = static_cast<C>(best[c]) < static_cast<C>(in[c]);
      pixel[c] = larger ? at : pixel[c];
      best[c] = larger ? in[c] : best[c];
    }
  }
};

// Windows of 2 x 2 without overlaps and padding, as most networks have.
bool AreTiles(const PoolSizes& s) {
  const auto tiled = [](const Window& w) {
    return w.kernel == 2 && w.stride == 2 && w.pad_before == 0 && 2 * w.out <= w.in;
  };
  return tiled(s.height) && tiled(s.width);
}

// Hands each gradient to the first largest of the four values of its tile.
template <typename T>
void SelectInTiles(const PoolSizes& s, const T* image, const T* grad, T* out) {
  using C = ComputeType<T>;
  const int64_t row = s.width.in * s.channels;
  for (int64_t oy = 0; oy < s.height.out; ++oy) {
    for (int64_t ox = 0; ox < s.width.out; ++ox, grad += s.channels) {
      const int64_t at = 2 * oy * row + 2 * ox * s.channels;
      const T *a = image + at, *b = a + s.channels, *c = a + row, *d = b + row;
      T *to_a = out + at, *to_b = to_a + s.channels, *to_c = to_a + row, *to_d = to_b + row;
#pragma GCC ivdep
      for (int64_t i = 0; i < s.channels; ++i) {
        T most = a[i];
        int32_t best = 0;  // 32 bits, as many as a float has
        best = static_cast<C>(most) < static_cast<C>(b[i]) ? 1 : best;
        most = static_cast<C>(most) < static_cast<C>(b[i]) ? b[i] : most;
        best = static_cast<C>(most) < static_cast<C>(c[i]) ? 2 : best;
        most = static_cast<C>(most) < static_cast<C>(c[i]) ? c[i] : most;
        best = static_cast<C>(most) < static_cast<C>(d[i]) ? 3 : best;
        to_a[i] = best == 0 ? grad[i] : T(0);
        to_b[i] = best == 1 ? grad[i] : T(0);
        to_c[i] = best == 2 ? grad[i] : T(0);
        to_d[i] = best == 3 ? grad[i] : T(0);
      }
    }
  }
}

struct MaxPoolGrad {
  Pool pool;

  static absl::StatusOr<MaxPoolGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    return MaxPoolGrad{std::move(pool)};
  }

  template <typename T>
  static void OverDepth(const PoolSizes& s, const T* in, const T* grad, T* out) {
    using C = ComputeType<T>;
    const int64_t count = s.batch * s.out_image();
    for (int64_t i = 0; i < count; ++i) {
      int64_t best = i * s.depth.kernel;
      for (int64_t j = best + 1; j < (i + 1) * s.depth.kernel; ++j) {
        if (static_cast<C>(in[best]) < static_cast<C>(in[j])) best = j;
      }
      out[best] = grad[i];
    }
  }

  // Writes all pixels of `out`.
  template <typename T>
  static void Image(const PoolSizes& s, const T* image, const T* grad, T* out, ArgMax<T>& max) {
    const bool tiles = AreTiles(s);
    const bool all = tiles && s.out_rows() * s.width.out * 4 == s.in_pixels();
    if (!all) std::fill_n(out, s.in_image(), T(0));
    if (tiles) return WithWidest<T>([&] { SelectInTiles(s, image, grad, out); });
    // Without overlaps a pixel gets at most one gradient, so whole vectors can be stored.
    const bool overlap = s.height.stride < s.height.kernel || s.width.stride < s.width.kernel;
    for (int64_t oy = 0; oy < s.out_rows(); ++oy) {
      ThrowIfCancelled();
      for (int64_t ox = 0; ox < s.width.out; ++ox, grad += s.channels) {
        max.Find(s, image, oy, ox);
        if (!overlap) {
          ForEachPixel(s, oy, ox, [&](int64_t at) {
            max.Select(static_cast<int32_t>(at), s.channels, grad, out + at * s.channels);
          });
          continue;
        }
        for (int64_t c = 0; c < s.channels; ++c) {
          const int64_t pixel = max.pixel[c];
          if (pixel >= 0) AddTo(out[pixel * s.channels + c], grad[c]);
        }
      }
    }
  }

  // TensorFlow's rule for volumes: every pixel equal to the maximum gets the whole gradient.
  template <typename T>
  static void Volume(const PoolSizes& s, const T* image, const T* best, const T* grad, T* out) {
    using C = ComputeType<T>;
    for (int64_t oy = 0; oy < s.out_rows(); ++oy) {
      ThrowIfCancelled();
      for (int64_t ox = 0; ox < s.width.out; ++ox, best += s.channels, grad += s.channels) {
        ForEachPixel(s, oy, ox, [&](int64_t pixel) {
          const T* in = image + pixel * s.channels;
          T* to = out + pixel * s.channels;
          for (int64_t c = 0; c < s.channels; ++c) {
            if (static_cast<C>(in[c]) == static_cast<C>(best[c])) AddTo(to[c], grad[c]);
          }
        });
      }
    }
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, shape, true));
    SLUICE_ASSIGN(const Shape pooled, pool.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("orig_output", "tensor_out", ctx.input(1).shape(), pooled));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_backprop", ctx.input(2).shape(), pooled));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const Tensor in, pool.Ordered(ctx, ctx.input(0)));
    SLUICE_ASSIGN(const Tensor grad, pool.Ordered(ctx, ctx.input(2)));
    Tensor best = ctx.input(1);
    if (pool.attrs.spaces == 3) {
      SLUICE_ASSIGN(best, pool.Ordered(ctx, best));
    }
    SLUICE_ASSIGN(Tensor result, pool.OrderedResult(ctx, *out));
    if (pool.attrs.spaces == 3 || s.depth.kernel > 1) std::memset(result.raw(), 0, result.bytes());
    SLUICE_RETURN_IF_ERROR(
        VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          const T* from = in.data<T>();
          const T* grads = grad.data<T>();
          T* to = result.mutable_data<T>();
          if (s.depth.kernel > 1) {
            OverDepth(s, from, grads, to);
            return absl::OkStatus();
          }
          SLUICE_RETURN_IF_ERROR(CheckPixels(s));
          ParallelFor(ctx.pool(), s.batch, 2 * s.pixel_cost() * s.out_rows() * s.width.out,
                      [&](int64_t begin, int64_t end) {
                        ArgMax<T> max(s.channels);
                        for (int64_t n = begin; n < end; ++n) {
                          const T* const image = from + n * s.in_image();
                          const T* const grad_n = grads + n * s.out_image();
                          T* const to_n = to + n * s.in_image();
                          if (pool.attrs.spaces == 3) {
                            Volume(s, image, best.data<T>() + n * s.out_image(), grad_n, to_n);
                          } else {
                            Image(s, image, grad_n, to_n, max);
                          }
                        }
                      });
          return absl::OkStatus();
        }));
    return pool.Finish(ctx, result, *out);
  }
};

// The gradient of MaxPoolGrad: for each output, the gradient at its maximum's pixel.
struct MaxPoolGradGrad {
  Pool pool;

  static absl::StatusOr<MaxPoolGradGrad> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    return MaxPoolGradGrad{std::move(pool)};
  }

  template <typename T>
  static void Image(const PoolSizes& s, const T* image, const T* grad, T* out, ArgMax<T>& max) {
    for (int64_t oy = 0; oy < s.out_rows(); ++oy) {
      ThrowIfCancelled();
      for (int64_t ox = 0; ox < s.width.out; ++ox, out += s.channels) {
        max.Find(s, image, oy, ox);
        for (int64_t c = 0; c < s.channels; ++c) {
          const int64_t pixel = max.pixel[c];
          out[c] = pixel >= 0 ? grad[pixel * s.channels + c] : T(0);
        }
      }
    }
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, shape, false));
    SLUICE_ASSIGN(const Shape pooled, pool.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("orig_output", "tensor_out", ctx.input(1).shape(), pooled));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_grad_backprop", ctx.input(2).shape(), shape));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, pooled));
    if (pooled.num_elements() == 0) return absl::OkStatus();
    SLUICE_ASSIGN(const Tensor in, pool.Ordered(ctx, ctx.input(0)));
    SLUICE_ASSIGN(const Tensor grad, pool.Ordered(ctx, ctx.input(2)));
    SLUICE_ASSIGN(Tensor result, pool.OrderedResult(ctx, *out));
    SLUICE_RETURN_IF_ERROR(
        VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
          SLUICE_RETURN_IF_ERROR(CheckPixels(s));
          ParallelFor(ctx.pool(), s.batch, 2 * s.pixel_cost() * s.out_rows() * s.width.out,
                      [&](int64_t begin, int64_t end) {
                        ArgMax<T> max(s.channels);
                        for (int64_t n = begin; n < end; ++n) {
                          Image(s, in.data<T>() + n * s.in_image(),
                                grad.data<T>() + n * s.in_image(),
                                result.mutable_data<T>() + n * s.out_image(), max);
                        }
                      });
          return absl::OkStatus();
        }));
    return pool.Finish(ctx, result, *out);
  }
};

struct MaxPoolWithArgmax {
  Pool pool;
  bool include_batch;

  static absl::StatusOr<MaxPoolWithArgmax> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    SLUICE_ASSIGN(const bool include_batch, node.Get<bool>("include_batch_in_index"));
    return MaxPoolWithArgmax{std::move(pool), include_batch};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& in = ctx.input(0);
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, in.shape(), false));
    SLUICE_ASSIGN(const Shape shape, pool.OutputShape(s));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    SLUICE_ASSIGN(Tensor * where, ctx.AllocateOutput(1, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    return VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
      SLUICE_RETURN_IF_ERROR(CheckPixels(s));
      return VisitDType(IndexTypes{}, where->dtype(), [&]<typename I>(Type<I>) {
        ParallelFor(ctx.pool(), s.batch, 2 * s.pixel_cost() * s.out_rows() * s.width.out,
                    [&](int64_t begin, int64_t end) {
                      ArgMax<T> max(s.channels);
                      for (int64_t n = begin; n < end; ++n) {
                        Image<T, I>(s, n, in.data<T>(), out->mutable_data<T>(),
                                    where->mutable_data<I>(), max);
                      }
                    });
        return absl::OkStatus();
      });
    });
  }

  template <typename T, typename I>
  void Image(const PoolSizes& s, int64_t n, const T* in, T* out, I* where, ArgMax<T>& max) const {
    const int64_t base = include_batch ? n * s.in_image() : 0;
    int64_t at = n * s.out_image();
    for (int64_t oy = 0; oy < s.out_rows(); ++oy) {
      ThrowIfCancelled();
      for (int64_t ox = 0; ox < s.width.out; ++ox, at += s.channels) {
        max.Find(s, in + n * s.in_image(), oy, ox);
        for (int64_t c = 0; c < s.channels; ++c) {
          out[at + c] = max.best[c];
          where[at + c] = static_cast<I>(base + int64_t{max.pixel[c]} * s.channels + c);
        }
      }
    }
  }
};

struct MaxPoolGradWithArgmax {
  Pool pool;
  bool include_batch;

  static absl::StatusOr<MaxPoolGradWithArgmax> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Pool pool, Pool::Create(node));
    SLUICE_ASSIGN(const bool include_batch, node.Get<bool>("include_batch_in_index"));
    return MaxPoolGradWithArgmax{std::move(pool), include_batch};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    const Tensor& grad = ctx.input(1);
    SLUICE_ASSIGN(const PoolSizes s, pool.Sizes(ctx, shape, false));
    SLUICE_ASSIGN(const Shape pooled, pool.OutputShape(s));
    SLUICE_RETURN_IF_ERROR(CheckShape("grad", "out_backprop", grad.shape(), pooled));
    SLUICE_RETURN_IF_ERROR(CheckShape("argmax", "argmax", ctx.input(2).shape(), pooled));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    if (shape.num_elements() == 0) return absl::OkStatus();
    std::memset(out->raw(), 0, out->bytes());
    if (grad.num_elements() == 0) return absl::OkStatus();
    return VisitDType(IndexTypes{}, ctx.input(2).dtype(), [&]<typename I>(Type<I>) {
      const I* where = ctx.input(2).data<I>();
      return VisitDType(RealTypes{}, grad.dtype(), [&]<typename T>(Type<T>) -> absl::Status {
        T* to = out->mutable_data<T>();
        for (int64_t i = 0; i < grad.num_elements(); ++i) {
          const int64_t base = include_batch ? 0 : i / s.out_image() * s.in_image();
          const int64_t limit = include_batch ? shape.num_elements() : s.in_image();
          if (where[i] < 0 || where[i] >= limit) {
            return InvalidArgument("Found bad index at pos ", i, ": ", where[i], " is not in [0, ",
                                   limit, ")");
          }
          AddTo(to[base + where[i]], grad.data<T>()[i]);
        }
        return absl::OkStatus();
      });
    });
  }
};

}  // namespace

void RegisterMaxPooling(KernelRegistry& kernels) {
  const std::vector<TypeConstraint> real{{"T", SetOf(RealTypes{})}};
  const std::vector<TypeConstraint> indexed{{"T", SetOf(RealTypes{})}, {"Targmax", kIndex}};
  for (const char* op : {"MaxPool", "MaxPoolV2", "MaxPool3D"}) {
    kernels.Add<MaxPool>(op, kCpu, real);
  }
  for (const char* op : {"MaxPoolGrad", "MaxPoolGradV2"}) {
    kernels.Add<MaxPoolGrad>(op, kCpu, real);
  }
  for (const DType t : {kHalf, kBfloat16, kFloat}) {
    kernels.Add<MaxPoolGrad>("MaxPool3DGrad", kCpu, {{"T", t}, {"TInput", t}});
  }
  for (const char* op : {"MaxPoolGradGrad", "MaxPoolGradGradV2", "MaxPool3DGradGrad"}) {
    kernels.Add<MaxPoolGradGrad>(op, kCpu, real);
  }
  kernels.Add<MaxPoolWithArgmax>("MaxPoolWithArgmax", kCpu, indexed);
  kernels.Add<MaxPoolGradWithArgmax>("MaxPoolGradWithArgmax", kCpu, indexed);
}

}  // namespace sluice::kernels
