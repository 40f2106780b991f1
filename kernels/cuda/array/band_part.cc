// SPDX-License-Identifier: Apache-2.0
// MatrixBandPart on the GPU.
#include "kernels/cuda/array/band_part.h"

#include "kernels/common/array/band_part_plan.h"
#include "kernels/common/axis.h"
#include "kernels/cuda/array/register.h"
#include "kernels/cuda/common/kernel.h"

namespace sluice::kernels {
namespace {

struct MatrixBandPart {
  absl::Status Run(KernelContext& ctx) const {
    const Shape shape = ctx.input(0).shape();
    SLUICE_ASSIGN(const Band band, Band::Make(shape, ctx.input(1), ctx.input(2)));
    const void* before = ctx.input(0).raw();
    const DType dtype = ctx.input(0).dtype();
    SLUICE_ASSIGN(Tensor * out, ctx.ForwardOrAllocate({0}, 0, shape));
    return Launched(cuda::LaunchBandPart(static_cast<int>(SizeOf(dtype)), before,
                                         ProductOf(shape, 0, shape.rank() - 2),
                                         shape.dim(shape.rank() - 2), shape.dim(shape.rank() - 1),
                                         band.lower, band.upper, out->raw(), StreamOf(ctx)));
  }
};

}  // namespace

void RegisterCudaBandPart(KernelRegistry& kernels) {
  for (const char* op : {"MatrixBandPart", "BatchMatrixBandPart"}) {
    kernels.Add<MatrixBandPart>(op, kGpu, {{"T", kNumeric | DTypeSet(kBool)}},
                                HostMemory{"num_lower", "num_upper"});
  }
}

}  // namespace sluice::kernels
