// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_FUNCTIONS_REGISTER_H_
#define SLUICE_KERNELS_ANY_FUNCTIONS_REGISTER_H_

#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyFunctions(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterCalls(KernelRegistry& kernels, absl::string_view device_type);
void RegisterPyFunc(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_FUNCTIONS_REGISTER_H_
