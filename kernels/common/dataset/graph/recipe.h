// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_RECIPE_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_RECIPE_H_

#include <memory>
#include <string>
#include <vector>

#include "core/op/attr.h"
#include "core/tensor/tensor.h"

namespace sluice::proto {
class FunctionDefLibrary;
}  // namespace sluice::proto

namespace sluice::kernels {

// The node that makes data sets.
struct MakerNode {
  std::string name, op;
  AttrMap attrs;  // those that differ from the defaults
  int64_t producer_version = 0;
};

// How a data set was made. The kernels of data sets record it (recorded.h).
//
// Threads:  immutable.
struct Recipe {
  std::shared_ptr<const MakerNode> node;
  std::vector<Tensor> inputs;  // a data set is a scalar of a variant
  std::shared_ptr<const proto::FunctionDefLibrary> functions;  // of the node's graph; may be null
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_RECIPE_H_
