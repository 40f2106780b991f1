// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_STATE_REGISTER_H_
#define SLUICE_KERNELS_ANY_STATE_REGISTER_H_

#include "kernels/common/primitives.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyState(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterState(KernelRegistry& kernels, const Primitives& on);
void RegisterResourceVariables(KernelRegistry& kernels, const Primitives& on);
void RegisterMutexes(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_STATE_REGISTER_H_
