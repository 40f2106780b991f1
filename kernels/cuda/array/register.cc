// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/register.h"

#include "kernels/any/array/register.h"
#include "kernels/cuda/common/kernel.h"
#include "kernels/cuda/common/primitives.h"
#include "kernels/cuda/common/unary.h"

namespace sluice::kernels {
namespace {

absl::Status ConjugateOnGpu(KernelContext& ctx, Tensor& tensor) {
  return Launched(cuda::LaunchUnary(cuda::UnaryOp::kConj, ElementOf(tensor.dtype()), tensor.raw(),
                                    tensor.raw(), tensor.num_elements(), StreamOf(ctx)));
}

}  // namespace

void RegisterCudaArray(KernelRegistry& kernels) {
  const Primitives& on = CudaPrimitives();
  RegisterIdentity(kernels, kGpu);
  RegisterFill(kernels, on);
  RegisterConcat(kernels, on);
  RegisterSlice(kernels, on);
  RegisterStridedSliceAssign(kernels, on);
  RegisterTranspose(kernels, on, &ConjugateOnGpu);
  RegisterBroadcastOps(kernels, on);
  RegisterSpaceDepth(kernels, on);
  RegisterShapeOps(kernels, on);
  RegisterRows(kernels, on);
  RegisterGather(kernels, on);
  RegisterDiagonal(kernels, on);
  RegisterCudaPad(kernels);
  RegisterCudaOneHot(kernels);
  RegisterCudaBandPart(kernels);
  RegisterCudaWhere(kernels);
  RegisterCudaDynamicPartition(kernels);
  RegisterCudaScatterNd(kernels);
  RegisterCudaInplace(kernels);
  RegisterCudaTileGrad(kernels);
}

}  // namespace sluice::kernels
