// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/array/register.h"

namespace sluice::kernels {

void RegisterAnyArray(KernelRegistry& kernels) {
  RegisterIdentity(kernels, kCpu);
  RegisterZerosLikeVariants(kernels);
  RegisterFill(kernels, CpuPrimitives());
  RegisterConcat(kernels, CpuPrimitives());
  RegisterSlice(kernels, CpuPrimitives());
  RegisterStridedSliceAssign(kernels, CpuPrimitives());
  RegisterTranspose(kernels, CpuPrimitives());
  RegisterBroadcastOps(kernels, CpuPrimitives());
  RegisterSpaceDepth(kernels, CpuPrimitives());
  RegisterShapeOps(kernels, CpuPrimitives());
  RegisterRows(kernels, CpuPrimitives());
  RegisterGather(kernels, CpuPrimitives());
  RegisterDiagonal(kernels, CpuPrimitives());
}

}  // namespace sluice::kernels
