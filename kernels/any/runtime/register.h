// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_RUNTIME_REGISTER_H_
#define SLUICE_KERNELS_ANY_RUNTIME_REGISTER_H_

#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyRuntime(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterSendRecv(KernelRegistry& kernels, absl::string_view device_type);
void RegisterArguments(KernelRegistry& kernels, absl::string_view device_type);
void RegisterDeviceIndex(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_RUNTIME_REGISTER_H_
