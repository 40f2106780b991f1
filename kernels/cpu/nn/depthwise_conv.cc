// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution: every channel has its own filters. The loops run over channels, which are
// last.
#include <algorithm>
#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/nn/register.h"
#include "kernels/cpu/nn/window.h"

namespace sluice::kernels {
namespace {

// Filters are [height, width, channels, multiplier]; output channel c * multiplier + m comes from
// input channel c.
struct DepthwiseSizes {
  int64_t batch, channels, multiplier;
  Window height, width;

  int64_t out_channels() const { return channels * multiplier; }
  double row_cost() const {  // ns for one output row
    return 0.5 * width.out * height.kernel * width.kernel * out_channels();
  }
};

// Errors of a gradient op begin with its name.
absl::StatusOr<DepthwiseSizes> SizesOf(const WindowAttrs& attrs, const Shape& input,
                                       const Shape& filter, absl::string_view gradient) {
  if (input.rank() != 4) return InvalidArgument(gradient, "input must be 4-dimensional", input);
  if (filter.rank() != 4)
    return InvalidArgument(gradient, "filter must be 4-dimensional: ", filter);
  DepthwiseSizes s;
  s.batch = input.dim(0);
  s.channels = input.dim(attrs.channel_dim());
  s.multiplier = filter.dim(3);
  if (filter.dim(2) != s.channels) {
    return InvalidArgument(gradient, "input and filter must have the same ",
                           gradient.empty() ? "depth: " : "in_depth: ", s.channels, " vs ",
                           filter.dim(2));
  }
  int64_t out_channels;
  if (!MulFits(s.channels, s.multiplier, &out_channels)) {
    return InvalidArgument("too many output channels: ", s.channels, " * ", s.multiplier);
  }
  SLUICE_ASSIGN(s.height, PlaceWindow(attrs, 0, input.dim(attrs.height_dim()), filter.dim(0)));
  SLUICE_ASSIGN(s.width, PlaceWindow(attrs, 1, input.dim(attrs.width_dim()), filter.dim(1)));
  return s;
}

// to[c * m + i] += from[c] * by[c * m + i]
template <typename T>
void Spread(const T* __restrict from, const T* __restrict by, int64_t channels, int64_t m,
            T* __restrict to) {
  if (m == 1) {
    for (int64_t c = 0; c < channels; ++c) to[c] += from[c] * by[c];
    return;
  }
  for (int64_t c = 0; c < channels; ++c) {
    for (int64_t i = 0; i < m; ++i) to[c * m + i] += from[c] * by[c * m + i];
  }
}

// to[c] += sum over i of from[c * m + i] * by[c * m + i]
template <typename T>
void Collect(const T* __restrict from, const T* __restrict by, int64_t channels, int64_t m,
             T* __restrict to) {
  if (m == 1) {
    for (int64_t c = 0; c < channels; ++c) to[c] += from[c] * by[c];
    return;
  }
  for (int64_t c = 0; c < channels; ++c) {
    T sum = 0;
    for (int64_t i = 0; i < m; ++i) sum += from[c * m + i] * by[c * m + i];
    to[c] += sum;
  }
}

// Calls fn(output column, tap, input column) for all taps that fall inside the input.
template <typename Fn>
void ForEachColumn(const Window& w, const Fn& fn) {
  for (int64_t o = 0; o < w.out; ++o) {
    for (int64_t j = 0; j < w.kernel; ++j) {
      const int64_t i = w.begin(o) + j * w.dilation;
      if (i >= 0 && i < w.in) fn(o, j, i);
    }
  }
}

template <typename T>
void Forward(WorkQueue* pool, const DepthwiseSizes& s, const T* in, const T* filter, T* out) {
  const int64_t width = s.width.out * s.out_channels();
  ParallelFor(pool, s.batch * s.height.out, s.row_cost(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      T* const to = out + row * width;
      std::fill_n(to, width, T(0));
      const int64_t n = row / s.height.out, oy = row % s.height.out;
      for (int64_t ky = 0; ky < s.height.kernel; ++ky) {
        const int64_t y = s.height.begin(oy) + ky * s.height.dilation;
        if (y < 0 || y >= s.height.in) continue;
        const T* from = in + (n * s.height.in + y) * s.width.in * s.channels;
        const T* taps = filter + ky * s.width.kernel * s.out_channels();
        ForEachColumn(s.width, [&](int64_t ox, int64_t kx, int64_t x) {
          Spread(from + x * s.channels, taps + kx * s.out_channels(), s.channels, s.multiplier,
                 to + ox * s.out_channels());
        });
      }
    }
  });
}

// Shards are input rows. Each gathers from the output rows that used it, so no two threads write
// one row.
template <typename T>
void BackpropInput(WorkQueue* pool, const DepthwiseSizes& s, const T* grad, const T* filter,
                   T* out) {
  const int64_t width = s.width.in * s.channels;
  ParallelFor(pool, s.batch * s.height.in, s.row_cost(), [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      T* const to = out + row * width;
      std::fill_n(to, width, T(0));
      const int64_t n = row / s.height.in, y = row % s.height.in;
      for (int64_t ky = 0; ky < s.height.kernel; ++ky) {
        const int64_t start = y + s.height.pad_before - ky * s.height.dilation;
        if (start < 0 || start % s.height.stride != 0) continue;
        const int64_t oy = start / s.height.stride;
        if (oy >= s.height.out) continue;
        const T* from = grad + (n * s.height.out + oy) * s.width.out * s.out_channels();
        const T* taps = filter + ky * s.width.kernel * s.out_channels();
        ForEachColumn(s.width, [&](int64_t ox, int64_t kx, int64_t x) {
          Collect(from + ox * s.out_channels(), taps + kx * s.out_channels(), s.channels,
                  s.multiplier, to + x * s.channels);
        });
      }
    }
  });
}

// Output rows are distributed over a fixed number of partial sums, so that the result does not
// depend on the threads.
template <typename T>
absl::Status BackpropFilter(KernelContext& ctx, const DepthwiseSizes& s, const T* in, const T* grad,
                            T* out) {
  const int64_t size = s.height.kernel * s.width.kernel * s.out_channels();
  const int64_t rows = s.batch * s.height.out;
  const int64_t parts = std::clamp<int64_t>(rows / 8, 1, 16);
  SLUICE_ASSIGN(const Shape shape, Shape::Create({parts, size}));
  SLUICE_ASSIGN(Tensor sums, ctx.AllocateTemporary(kDTypeOf<T>, shape));
  ParallelFor(ctx.pool(), parts, s.row_cost() * rows / parts, [&](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      T* const to = sums.mutable_data<T>() + part * size;
      std::fill_n(to, size, T(0));
      for (int64_t row = part * rows / parts; row < (part + 1) * rows / parts; ++row) {
        const int64_t n = row / s.height.out, oy = row % s.height.out;
        const T* const above = grad + row * s.width.out * s.out_channels();
        for (int64_t ky = 0; ky < s.height.kernel; ++ky) {
          const int64_t y = s.height.begin(oy) + ky * s.height.dilation;
          if (y < 0 || y >= s.height.in) continue;
          const T* from = in + (n * s.height.in + y) * s.width.in * s.channels;
          T* const taps = to + ky * s.width.kernel * s.out_channels();
          ForEachColumn(s.width, [&](int64_t ox, int64_t kx, int64_t x) {
            Spread(from + x * s.channels, above + ox * s.out_channels(), s.channels, s.multiplier,
                   taps + kx * s.out_channels());
          });
        }
      }
    }
  });
  const T* from = sums.data<T>();
  std::copy_n(from, size, out);
  for (int64_t part = 1; part < parts; ++part) {
    for (int64_t i = 0; i < size; ++i) out[i] += from[part * size + i];
  }
  return absl::OkStatus();
}

enum class Direction { kForward, kBackpropInput, kBackpropFilter };

struct DepthwiseConv {
  WindowAttrs attrs;
  Direction direction;
  absl::string_view gradient;  // its name in errors

  static absl::StatusOr<DepthwiseConv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const WindowAttrs attrs, WindowAttrs::Create(node));
    const absl::string_view op = node.op;
    const Direction direction = op == "DepthwiseConv2dNative" ? Direction::kForward
                                : op == "DepthwiseConv2dNativeBackpropInput"
                                    ? Direction::kBackpropInput
                                    : Direction::kBackpropFilter;
    const absl::string_view gradient = direction == Direction::kForward ? ""
                                       : direction == Direction::kBackpropInput
                                           ? "DepthwiseConv2DBackpropInput: "
                                           : "DepthwiseConv2DBackpropFilter: ";
    return DepthwiseConv{attrs, direction, gradient};
  }

  // Checks the additional inputs of a gradient op.
  absl::Status CheckGradient(const DepthwiseSizes& s, const Shape& grad) const {
    if (grad.rank() != 4)
      return InvalidArgument(gradient, "out_backprop must be 4-dimensional: ", grad);
    if (grad.dim(0) != s.batch) {
      return InvalidArgument(gradient, "input and out_backprop must have the same batch size");
    }
    if (grad.dim(attrs.channel_dim()) != s.out_channels()) {
      return InvalidArgument(gradient, "depth_multiplier * in_depth not equal to out_depth");
    }
    const int64_t rows = grad.dim(attrs.height_dim()), columns = grad.dim(attrs.width_dim());
    if (rows == s.height.out && columns == s.width.out) return absl::OkStatus();
    const bool is_rows = rows != s.height.out;
    return InvalidArgument(
        gradient, "Number of ", is_rows ? "rows" : "cols",
        " of out_backprop doesn't match computed: actual = ", is_rows ? rows : columns,
        ", computed = ", is_rows ? s.height.out : s.width.out);
  }

  absl::Status Run(KernelContext& ctx) const {
    const bool forward = direction == Direction::kForward;
    Shape input = ctx.input(0).shape(), filter = ctx.input(1).shape();
    if (direction == Direction::kBackpropInput) {
      SLUICE_ASSIGN(input, ShapeFrom(ctx.input(0)));
    } else if (direction == Direction::kBackpropFilter) {
      SLUICE_ASSIGN(filter, ShapeFrom(ctx.input(1)));
    }
    SLUICE_ASSIGN(const DepthwiseSizes sizes, SizesOf(attrs, input, filter, gradient));
    Shape shape = direction == Direction::kBackpropInput ? input : filter;
    if (forward) {
      SLUICE_ASSIGN(shape, attrs.ImageShape(sizes.batch, {sizes.height.out, sizes.width.out},
                                            sizes.out_channels()));
    } else {
      SLUICE_RETURN_IF_ERROR(CheckGradient(sizes, ctx.input(2).shape()));
    }
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, shape));
    const Tensor& a = ctx.input(direction == Direction::kBackpropInput ? 2 : 0);
    const Tensor& b = ctx.input(direction == Direction::kBackpropFilter ? 2 : 1);
    if (out->num_elements() == 0) return absl::OkStatus();
    if (a.num_elements() == 0 || b.num_elements() == 0) {
      std::memset(out->raw(), 0, out->bytes());
      return absl::OkStatus();
    }
    return Compute(ctx, sizes, a, b, *out);
  }

  // Converts operands to channels-last order and to the computing type, and converts the result
  // back.
  absl::Status Compute(KernelContext& ctx, const DepthwiseSizes& sizes, Tensor a, Tensor b,
                       Tensor& out) const {
    const bool makes_filter = direction == Direction::kBackpropFilter;
    Tensor ordered = out, result = out;
    if (attrs.channels_first) {
      SLUICE_ASSIGN(a, ToChannelsLast(ctx, a));
      if (makes_filter) {
        SLUICE_ASSIGN(b, ToChannelsLast(ctx, b));
      } else {
        SLUICE_ASSIGN(const Shape shape, ChannelsLastShape(out.shape()));
        SLUICE_ASSIGN(ordered, ctx.AllocateTemporary(out.dtype(), shape));
        result = ordered;
      }
    }
    if (out.dtype() == kDouble) {
      SLUICE_RETURN_IF_ERROR(Loops<double>(ctx, sizes, a, b, result));
    } else {
      SLUICE_ASSIGN(a, ToFloat(ctx, a));
      SLUICE_ASSIGN(b, ToFloat(ctx, b));
      if (out.dtype() != kFloat) {
        SLUICE_ASSIGN(result, ctx.AllocateTemporary(kFloat, ordered.shape()));
      }
      SLUICE_RETURN_IF_ERROR(Loops<float>(ctx, sizes, a, b, result));
      if (out.dtype() != kFloat) SLUICE_RETURN_IF_ERROR(FromFloat(ctx, result, ordered));
    }
    const bool reorder = attrs.channels_first && !makes_filter;
    return reorder ? FromChannelsLast(ctx, ordered, out) : absl::OkStatus();
  }

  template <typename T>
  absl::Status Loops(KernelContext& ctx, const DepthwiseSizes& sizes, const Tensor& a,
                     const Tensor& b, Tensor& out) const {
    const T* x = a.data<T>();
    const T* y = b.data<T>();
    T* to = out.mutable_data<T>();
    if (direction == Direction::kBackpropFilter) return BackpropFilter(ctx, sizes, x, y, to);
    if (direction == Direction::kForward) {
      Forward(ctx.pool(), sizes, x, y, to);
    } else {
      BackpropInput(ctx.pool(), sizes, x, y, to);
    }
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterDepthwiseConv(KernelRegistry& kernels) {
  for (absl::string_view op : {"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
                               "DepthwiseConv2dNativeBackpropFilter"}) {
    kernels.Add<DepthwiseConv>(op, kCpu, {{"T", kFloating}});
  }
}

}  // namespace sluice::kernels
