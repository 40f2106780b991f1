// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_POSITION_GRAPHS_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_POSITION_GRAPHS_H_

#include <string>
#include <vector>

#include "core/runtime/kernel_context.h"
#include "core/tensor/tensor.h"

namespace sluice::kernels {

// Elements can be data sets. A checkpoint holds such an element as the graph that makes it.

// The values of a position, with graphs in place of data sets. Data sets without a recipe stay.
// Errors: FAILED_PRECONDITION names an input of a data set that has no constant.
absl::StatusOr<std::vector<Tensor>> DataSetsToGraphs(std::vector<Tensor> values);

// The reverse: runs the graphs. Waits.
// Errors: INVALID_ARGUMENT if a graph is damaged.
absl::StatusOr<std::vector<Tensor>> GraphsToDataSets(KernelContext& ctx, const std::string& device,
                                                     std::vector<Tensor> values);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_POSITION_GRAPHS_H_
