// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATA_FLOW_REGISTER_H_
#define SLUICE_KERNELS_ANY_DATA_FLOW_REGISTER_H_

#include "kernels/common/primitives.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyDataFlow(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterSessionHandles(KernelRegistry& kernels, const Primitives& on);
void RegisterTensorArrays(KernelRegistry& kernels, const Primitives& on);
void RegisterStacks(KernelRegistry& kernels, const Primitives& on);
void RegisterStaging(KernelRegistry& kernels, absl::string_view device_type);
void RegisterBatching(KernelRegistry& kernels);
void RegisterUnbatching(KernelRegistry& kernels);
void RegisterAccumulators(KernelRegistry& kernels);
void RegisterBarriers(KernelRegistry& kernels);
void RegisterQueues(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATA_FLOW_REGISTER_H_
