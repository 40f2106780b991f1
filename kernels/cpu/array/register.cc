// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/array/register.h"

namespace sluice::kernels {

void RegisterCpuArray(KernelRegistry& kernels) {
  RegisterWhere(kernels);
  RegisterShapeOps(kernels);
  RegisterBroadcastOps(kernels);
  RegisterFill(kernels);
  RegisterConcat(kernels);
  RegisterSlice(kernels);
  RegisterPad(kernels);
  RegisterGather(kernels, CpuPrimitives());
  RegisterScatterNd(kernels);
  RegisterTranspose(kernels);
  RegisterSpaceDepth(kernels);
  RegisterDiagonal(kernels);
  RegisterOneHot(kernels);
  RegisterUnique(kernels);
  RegisterDynamicPartition(kernels);
  RegisterStridedSliceAssign(kernels);
  RegisterSearch(kernels);
  RegisterRows(kernels);
  RegisterFingerprint(kernels);
}

}  // namespace sluice::kernels
