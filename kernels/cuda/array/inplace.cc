// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/inplace.h"

#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/array/inplace_plan.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

enum class InplaceRule { kUpdate, kAdd, kSub };

template <InplaceRule kRule>
struct CudaInplace {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(CheckInplace(ctx.input(0), ctx.input(1), ctx.input(2)));
    Tensor x = ctx.TakeInput(0);
    if (NeedsCopyInPlace(x)) {
      SLUICE_ASSIGN(x, ctx.device().CopyWithin(x));
    }
    const Tensor& v = ctx.input(2);
    if (v.num_elements() > 0) {
      const cuda::InplaceRows rows{x.raw(),
                                   v.raw(),
                                   static_cast<const int32_t*>(ctx.input(1).raw()),
                                   x.dim(0),
                                   x.num_elements() / x.dim(0),
                                   v.dim(0)};
      SLUICE_RETURN_IF_ERROR(Launched(
          kRule == InplaceRule::kUpdate
              ? cuda::LaunchInplaceUpdate(static_cast<int>(SizeOf(x.dtype())), rows, StreamOf(ctx))
              : cuda::LaunchInplaceAdd(ElementOf(x.dtype()), kRule == InplaceRule::kSub, rows,
                                       StreamOf(ctx))));
    }
    ctx.SetOutput(0, std::move(x));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterCudaInplace(KernelRegistry& kernels) {
  kernels.Add<CudaInplace<InplaceRule::kUpdate>>("InplaceUpdate", kGpu, {{"T", kPlain}});
  kernels.Add<CudaInplace<InplaceRule::kAdd>>("InplaceAdd", kGpu, {{"T", kNumeric}});
  kernels.Add<CudaInplace<InplaceRule::kSub>>("InplaceSub", kGpu, {{"T", kNumeric}});
}

}  // namespace sluice::kernels
