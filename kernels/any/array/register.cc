// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/array/register.h"

namespace sluice::kernels {

void RegisterAnyArray(KernelRegistry& kernels) {
  RegisterIdentity(kernels, kCpu);
  RegisterZerosLikeVariants(kernels);
  RegisterFill(kernels);
  RegisterConcat(kernels);
  RegisterSlice(kernels);
  RegisterStridedSliceAssign(kernels);
  RegisterTranspose(kernels);
  RegisterBroadcastOps(kernels);
  RegisterSpaceDepth(kernels);
  RegisterShapeOps(kernels);
  RegisterGather(kernels, CpuPrimitives());
  RegisterDiagonal(kernels);
}

}  // namespace sluice::kernels
