// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/array/register.h"

#include "kernels/any/array/register.h"
#include "kernels/cuda/common/primitives.h"

namespace sluice::kernels {

void RegisterCudaArray(KernelRegistry& kernels) {
  const Primitives& on = CudaPrimitives();
  RegisterIdentity(kernels, kGpu);
  RegisterFill(kernels, on);
  RegisterConcat(kernels, on);
  RegisterSlice(kernels, on);
  RegisterStridedSliceAssign(kernels, on);
  RegisterTranspose(kernels, on);
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
}

}  // namespace sluice::kernels
