// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DEBUG_REGISTER_H_
#define SLUICE_KERNELS_ANY_DEBUG_REGISTER_H_

#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyDebug(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterDebugOps(KernelRegistry& kernels);
void RegisterMessages(KernelRegistry& kernels, absl::string_view device_type);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DEBUG_REGISTER_H_
