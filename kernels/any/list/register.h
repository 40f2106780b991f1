// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_LIST_REGISTER_H_
#define SLUICE_KERNELS_ANY_LIST_REGISTER_H_

#include "kernels/common/primitives.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyList(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterTensorLists(KernelRegistry& kernels, const Primitives& on);
void RegisterTensorListStacks(KernelRegistry& kernels, const Primitives& on);
void RegisterTensorMaps(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_LIST_REGISTER_H_
