// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_NAMED_SETS_H_
#define SLUICE_KERNELS_ANY_DATASET_NAMED_SETS_H_

#include <memory>

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters the kernels of `plain`. The data sets that they make have the names of their nodes, under
// which a run counts what their stages do, and their statistics.
void AddWithNamedSets(std::shared_ptr<const KernelRegistry> plain, KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_NAMED_SETS_H_
