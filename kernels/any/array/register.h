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
void RegisterFill(KernelRegistry& kernels, const Primitives& on);
void RegisterConcat(KernelRegistry& kernels, const Primitives& on);
void RegisterSlice(KernelRegistry& kernels, const Primitives& on);
void RegisterStridedSliceAssign(KernelRegistry& kernels, const Primitives& on);
// Conjugates the complex elements of a tensor in the device's memory; null: on the CPU.
using Conjugate = absl::Status (*)(KernelContext& ctx, Tensor& tensor);
void RegisterTranspose(KernelRegistry& kernels, const Primitives& on,
                       Conjugate conjugate = nullptr);
void RegisterBroadcastOps(KernelRegistry& kernels, const Primitives& on);
void RegisterSpaceDepth(KernelRegistry& kernels, const Primitives& on);
void RegisterShapeOps(KernelRegistry& kernels, const Primitives& on);
void RegisterRows(KernelRegistry& kernels, const Primitives& on);
void RegisterGather(KernelRegistry& kernels, const Primitives& on);
void RegisterDiagonal(KernelRegistry& kernels, const Primitives& on);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_ARRAY_REGISTER_H_
