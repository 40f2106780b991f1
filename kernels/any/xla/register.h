// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_XLA_REGISTER_H_
#define SLUICE_KERNELS_ANY_XLA_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyXla(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterClusterOutput(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_XLA_REGISTER_H_
