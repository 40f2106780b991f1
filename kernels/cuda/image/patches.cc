// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/image/patches.h"

#include <algorithm>

#include "core/runtime/kernel_registry.h"
#include "kernels/common/image/patch_plan.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/image/register.h"

namespace sluice::kernels {
namespace {

struct CudaPatches {
  PatchPlan plan;

  static absl::StatusOr<CudaPatches> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(PatchPlan plan, PatchPlan::Create(node));
    return CudaPatches{std::move(plan)};
  }

  absl::Status Run(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    SLUICE_ASSIGN(const PatchPlan::Patches patches, plan.Place(x.shape()));
    SLUICE_ASSIGN(Tensor * out, ctx.AllocateOutput(0, patches.output));
    if (out->num_elements() == 0) return absl::OkStatus();
    cuda::Windows windows;
    std::copy_n(patches.spans, kPatchDimensions, windows.spans);
    windows.batch = x.dim(0);
    windows.depth = x.dim(x.rank() - 1);
    return Launched(cuda::LaunchPatches(static_cast<int>(SizeOf(x.dtype())), windows, x.raw(),
                                        out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaPatches(KernelRegistry& kernels) {
  kernels.Add<CudaPatches>("ExtractImagePatches", kGpu, {{"T", kNumeric | DTypeSet{kBool}}});
  kernels.Add<CudaPatches>("ExtractVolumePatches", kGpu, {{"T", kReal}});
}

}  // namespace sluice::kernels
