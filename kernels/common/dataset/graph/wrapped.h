// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_WRAPPED_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_WRAPPED_H_

#include <functional>
#include <memory>

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// The kernel itself, or one around it.
using WrapKernel =
    std::function<std::unique_ptr<Kernel>(std::unique_ptr<Kernel>, const NodeSpec& node)>;

// Enters all kernels of `plain` into `kernels`. `wrap` gets each when it is made for a node.
void AddWrapped(std::shared_ptr<const KernelRegistry> plain, KernelRegistry& kernels,
                WrapKernel wrap);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_WRAPPED_H_
