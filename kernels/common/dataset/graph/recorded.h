// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_RECORDED_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_RECORDED_H_

#include <memory>

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

struct MakerNode;

// What is recorded of a node.
std::shared_ptr<const MakerNode> MakerOf(const NodeSpec& node);
// Enters all kernels of `plain` into `kernels`. Those that make a data set also
// record how it was made.
void RegisterRecorded(std::shared_ptr<const KernelRegistry> plain, KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_RECORDED_H_
