// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_TREES_REGISTER_H_
#define SLUICE_KERNELS_ANY_TREES_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyTrees(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterEnsembleOps(KernelRegistry& kernels);
void RegisterPredictOps(KernelRegistry& kernels);
void RegisterGrowOps(KernelRegistry& kernels);
void RegisterStatsOps(KernelRegistry& kernels);
void RegisterBestSplitOps(KernelRegistry& kernels);
void RegisterQuantileOps(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_TREES_REGISTER_H_
