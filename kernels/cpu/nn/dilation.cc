// SPDX-License-Identifier: Apache-2.0
// Grey dilation of images: out = max over the window of input + filter, and its gradients, which go
// to the first pair that gave the maximum.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/nn/window.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

template <typename T>
T Sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {  // wraps
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(a) + static_cast<U>(b));
  } else {
    return T(a + b);
  }
}

struct Dilation {
  enum class Direction { kForward, kInput, kFilter };
  WindowAttrs attrs;
  Direction direction;

  static absl::StatusOr<Dilation> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
    const Direction direction = node.op == "Dilation2D"                ? Direction::kForward
                                : node.op == "Dilation2DBackpropInput" ? Direction::kInput
                                                                       : Direction::kFilter;
    return Dilation{attrs, direction};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor &in = ctx.input(0), &filter = ctx.input(1);
    if (in.rank() != 4) return InvalidArgument("input must be 4-dimensional", in.shape());
    if (filter.rank() != 3)
      return InvalidArgument("filter must be 3-dimensional: ", filter.shape());
    if (in.dim(3) != filter.dim(2)) {
      return InvalidArgument("input and filter must have the same depth: ", in.dim(3), " vs ",
                             filter.dim(2));
    }
    SLUICE_ASSIGN(const Window rows, PlaceWindow(attrs, 0, in.dim(1), filter.dim(0)));
    SLUICE_ASSIGN(const Window columns, PlaceWindow(attrs, 1, in.dim(2), filter.dim(1)));
    SLUICE_ASSIGN(const Shape pooled,
                  attrs.ImageShape(in.dim(0), {rows.out, columns.out}, in.dim(3)));
    if (direction != Direction::kForward && !(ctx.input(2).shape() == pooled)) {
      return InvalidArgument("out_backprop has incompatible size: expected ", pooled, ", got ",
                             ctx.input(2).shape());
    }
    const Shape& shape = direction == Direction::kForward ? pooled
                         : direction == Direction::kInput ? in.shape()
                                                          : filter.shape();
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    return VisitDType(RealTypes{}, in.dtype(), [&]<typename T>(Type<T>) {
      std::fill_n(out->mutable_data<T>(), shape.num_elements(), T(0));
      if (direction == Direction::kFilter) {  // all images share the filter
        Images<T>(ctx, rows, columns, 0, in.dim(0), *out);
        return absl::OkStatus();
      }
      const double cost = 1.0 * pooled.num_elements() * rows.kernel * columns.kernel;
      ParallelFor(
          ctx.pool(), in.dim(0), cost / std::max<int64_t>(1, in.dim(0)),
          [&](int64_t begin, int64_t end) { Images<T>(ctx, rows, columns, begin, end, *out); });
      return absl::OkStatus();
    });
  }

  template <typename T>
  void Images(KernelContext& ctx, const Window& rows, const Window& columns, int64_t begin,
              int64_t end, Tensor& result) const {
    using C = ComputeType<T>;
    const int64_t channels = ctx.input(0).dim(3);
    const T *in = ctx.input(0).data<T>(), *filter = ctx.input(1).data<T>();
    const T* grad = direction == Direction::kForward ? nullptr : ctx.input(2).data<T>();
    T* const out = result.mutable_data<T>();
    for (int64_t i = begin * rows.out * columns.out; i < end * rows.out * columns.out; ++i) {
      ThrowIfCancelled();
      const int64_t n = i / (rows.out * columns.out);
      const int64_t y0 = rows.begin(i / columns.out % rows.out),
                    x0 = columns.begin(i % columns.out);
      for (int64_t c = 0; c < channels; ++c) {
        T best = std::numeric_limits<T>::lowest();
        // If nothing in a window is larger, its first corner inside the image counts.
        int64_t best_in =
            ((n * rows.in + std::max<int64_t>(y0, 0)) * columns.in + std::max<int64_t>(x0, 0)) *
                channels +
            c;
        int64_t best_filter = c;
        for (int64_t k = 0; k < rows.kernel * columns.kernel; ++k) {
          const int64_t y = y0 + k / columns.kernel * rows.dilation;
          const int64_t x = x0 + k % columns.kernel * columns.dilation;
          if (y < 0 || y >= rows.in || x < 0 || x >= columns.in) continue;
          const int64_t at = ((n * rows.in + y) * columns.in + x) * channels + c;
          const T sum = Sum(in[at], filter[k * channels + c]);
          if (!(static_cast<C>(sum) > static_cast<C>(best))) continue;
          best = sum;
          best_in = at;
          best_filter = k * channels + c;
        }
        if (direction == Direction::kForward) {
          out[i * channels + c] = best;
        } else {
          T& to = out[direction == Direction::kInput ? best_in : best_filter];
          to = Sum(to, grad[i * channels + c]);
        }
      }
    }
  }
};

}  // namespace

void RegisterDilation(KernelRegistry& kernels) {
  for (const char* op : {"Dilation2D", "Dilation2DBackpropInput", "Dilation2DBackpropFilter"}) {
    kernels.Add<Dilation>(op, kCpu, {{"T", kReal}});
  }
}

}  // namespace sluice::kernels
