// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_KERNEL_FOLDER_H_
#define SLUICE_KERNELS_COMMON_KERNEL_FOLDER_H_

#include "absl/strings/string_view.h"
#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// The kernels of kernels/<device>/<family>/; graph/ops/families.txt has the families.
struct KernelFolder {
  absl::string_view device;  // "any" if the kernels work for all devices
  absl::string_view family;
  void (*enter)(KernelRegistry& kernels);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_KERNEL_FOLDER_H_
