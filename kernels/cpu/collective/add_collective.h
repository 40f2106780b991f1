// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COLLECTIVE_ADD_COLLECTIVE_H_
#define SLUICE_KERNELS_CPU_COLLECTIVE_ADD_COLLECTIVE_H_

#include <vector>

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Adds a kernel for CPUs, and for members that are GPUs. Theirs has all arguments in host memory:
// the partitioner copies them from and to the GPU, through pinned memory.
template <typename T>
void AddCollective(KernelRegistry& kernels, absl::string_view op,
                   std::vector<TypeConstraint> types = {}) {
  kernels.Add<T>(op, kCpu, types);
  kernels.Add<T>(
      op, kGpu, std::move(types),
      HostMemory{"input", "data", "shape", "group_size", "group_key", "instance_key", "rank",
                 "ordering_token", "communicator", "group_assignment", "device_index", "base_key"});
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COLLECTIVE_ADD_COLLECTIVE_H_
