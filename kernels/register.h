// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_REGISTER_H_
#define SLUICE_KERNELS_REGISTER_H_

#include <memory>

#include "absl/types/span.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/kernel_folder.h"

namespace sluice::kernels {

// Enters every kernel of this program. Higher layers need nothing else of kernels/.
void RegisterAllKernels(KernelRegistry& kernels);

// The same kernels, in a registry that is made once.
std::shared_ptr<const KernelRegistry> AllKernels();

// The folders of kernels/<device>/<family>/.
absl::Span<const KernelFolder> KernelFolders();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_REGISTER_H_
