// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/quantized/fake_quant.h"

#include "core/runtime/kernel_registry.h"
#include "kernels/common/quantized/fake_quant_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/quantized/register.h"

namespace sluice::kernels {
namespace {

const float* Floats(const Tensor& tensor) { return static_cast<const float*>(tensor.raw()); }
float* Floats(Tensor& tensor) { return static_cast<float*>(tensor.raw()); }

template <bool kGradient>
struct CudaFakeQuantArgs {
  cuda::QuantRanges ranges;

  static absl::StatusOr<CudaFakeQuantArgs> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const FakeQuantRange range, FakeQuantRange::Create(node));
    cuda::QuantRanges ranges;
    ranges.min_value = range.min;
    ranges.max_value = range.max;
    ranges.bits = range.options.bits;
    ranges.narrow = range.options.narrow;
    return CudaFakeQuantArgs{ranges};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(kGradient ? 1 : 0);
    if constexpr (kGradient) SLUICE_RETURN_IF_ERROR(CheckSameShape(ctx.input(0), x));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    const int64_t n = x.num_elements();
    if constexpr (kGradient) {
      return Launched(cuda::LaunchFakeQuantGrad(ranges, Floats(ctx.input(0)), Floats(x),
                                                Floats(*out), n, StreamOf(ctx)));
    } else {
      return Launched(cuda::LaunchFakeQuant(ranges, Floats(x), Floats(*out), n, StreamOf(ctx)));
    }
  }
};

// The ranges in two inputs, from number `first`.
absl::StatusOr<cuda::QuantRanges> RangesOf(const KernelContext& ctx, const Tensor& x, int first,
                                           bool per_channel, const FakeQuantOptions& options) {
  const Tensor &min = ctx.input(first), &max = ctx.input(first + 1);
  cuda::QuantRanges ranges;
  SLUICE_ASSIGN(ranges.channels, CheckRanges(x, min, max, per_channel));
  ranges.min = Floats(min);
  ranges.max = Floats(max);
  ranges.bits = options.bits;
  ranges.narrow = options.narrow;
  return ranges;
}

template <bool kPerChannel>
struct CudaFakeQuantVars {
  FakeQuantOptions options;

  static absl::StatusOr<CudaFakeQuantVars> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const FakeQuantOptions options, FakeQuantOptions::Create(node));
    return CudaFakeQuantVars{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const auto ranges, RangesOf(ctx, x, 1, kPerChannel, options));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, x.shape()));
    return Launched(
        cuda::LaunchFakeQuant(ranges, Floats(x), Floats(*out), x.num_elements(), StreamOf(ctx)));
  }
};

template <bool kPerChannel>
struct CudaFakeQuantVarsGradient {
  FakeQuantOptions options;

  static absl::StatusOr<CudaFakeQuantVarsGradient> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(const FakeQuantOptions options, FakeQuantOptions::Create(node));
    return CudaFakeQuantVarsGradient{options};
  }
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &grad = ctx.input(0), &x = ctx.input(1);
    SLUICE_RETURN_IF_ERROR(CheckSameShape(grad, x));
    SLUICE_ASSIGN(const auto ranges, RangesOf(ctx, x, 2, kPerChannel, options));
    const Shape ends = kPerChannel ? Shape{ranges.channels} : Shape{};
    SLUICE_ASSIGN(Tensor * dx, ctx.AllocateOutput(0, x.shape()));
    SLUICE_ASSIGN(Tensor * dmin, ctx.AllocateOutput(1, ends));
    SLUICE_ASSIGN(Tensor * dmax, ctx.AllocateOutput(2, ends));
    const int64_t n = x.num_elements();
    SLUICE_RETURN_IF_ERROR(Launched(
        cuda::LaunchFakeQuantGrad(ranges, Floats(grad), Floats(x), Floats(*dx), n, StreamOf(ctx))));
    return Launched(cuda::LaunchFakeQuantRangeGrad(ranges, Floats(grad), Floats(x), Floats(*dmin),
                                                   Floats(*dmax), n, StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaQuantized(KernelRegistry& kernels) {
  kernels.Add<CudaFakeQuantArgs<false>>("FakeQuantWithMinMaxArgs", kGpu);
  kernels.Add<CudaFakeQuantArgs<true>>("FakeQuantWithMinMaxArgsGradient", kGpu);
  kernels.Add<CudaFakeQuantVars<false>>("FakeQuantWithMinMaxVars", kGpu);
  kernels.Add<CudaFakeQuantVars<true>>("FakeQuantWithMinMaxVarsPerChannel", kGpu);
  kernels.Add<CudaFakeQuantVarsGradient<false>>("FakeQuantWithMinMaxVarsGradient", kGpu);
  kernels.Add<CudaFakeQuantVarsGradient<true>>("FakeQuantWithMinMaxVarsPerChannelGradient", kGpu);
}

}  // namespace sluice::kernels
