// SPDX-License-Identifier: Apache-2.0
// Depthwise convolution: every channel has its own filters. The loops run over channels, which are
// last.
#include <algorithm>
#include <cstring>

#include "core/runtime/kernel_registry.h"
#include "core/threads/cancel_scope.h"
#include "kernels/common/nn/depthwise_plan.h"
#include "kernels/cpu/common/layout.h"
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {
namespace {

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
        ThrowIfCancelled();
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

struct DepthwiseConv {
  DepthwiseOp op;

  static absl::StatusOr<DepthwiseConv> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const DepthwiseOp op, DepthwiseOp::Create(node));
    return DepthwiseConv{op};
  }

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const DepthwisePlan plan, op.Plan(ctx));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, plan.output));
    const Tensor& a = ctx.input(op.direction == ConvDirection::kBackpropInput ? 2 : 0);
    const Tensor& b = ctx.input(op.direction == ConvDirection::kBackpropFilter ? 2 : 1);
    if (out->num_elements() == 0) return absl::OkStatus();
    if (a.num_elements() == 0 || b.num_elements() == 0) {
      std::memset(out->raw(), 0, out->bytes());
      return absl::OkStatus();
    }
    return Compute(ctx, plan.sizes, a, b, *out);
  }

  // Converts operands to channels-last order and to the computing type, and converts the result
  // back.
  absl::Status Compute(KernelContext& ctx, const DepthwiseSizes& sizes, Tensor a, Tensor b,
                       Tensor& out) const {
    const bool makes_filter = op.direction == ConvDirection::kBackpropFilter;
    Tensor ordered = out, result = out;
    if (op.attrs.channels_first) {
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
    const bool reorder = op.attrs.channels_first && !makes_filter;
    return reorder ? FromChannelsLast(ctx, ordered, out) : absl::OkStatus();
  }

  template <typename T>
  absl::Status Loops(KernelContext& ctx, const DepthwiseSizes& sizes, const Tensor& a,
                     const Tensor& b, Tensor& out) const {
    const T* x = a.data<T>();
    const T* y = b.data<T>();
    T* to = out.mutable_data<T>();
    if (op.direction == ConvDirection::kBackpropFilter) return BackpropFilter(ctx, sizes, x, y, to);
    if (op.direction == ConvDirection::kForward) {
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
