// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_ARRAY_REGISTER_H_
#define SLUICE_KERNELS_ANY_ARRAY_REGISTER_H_

#include "absl/strings/string_view.h"
#include "kernels/common/primitives.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyArray(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterIdentity(KernelRegistry& kernels, absl::string_view device_type);
void RegisterZerosLikeVariants(KernelRegistry& kernels);
void RegisterFill(KernelRegistry& kernels);
void RegisterConcat(KernelRegistry& kernels);
void RegisterSlice(KernelRegistry& kernels);
void RegisterStridedSliceAssign(KernelRegistry& kernels);
void RegisterTranspose(KernelRegistry& kernels);
void RegisterBroadcastOps(KernelRegistry& kernels);
void RegisterSpaceDepth(KernelRegistry& kernels);
void RegisterShapeOps(KernelRegistry& kernels);
void RegisterGather(KernelRegistry& kernels, const Primitives& on);
void RegisterDiagonal(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_ARRAY_REGISTER_H_
