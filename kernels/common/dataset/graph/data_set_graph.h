// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_DATA_SET_GRAPH_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_DATA_SET_GRAPH_H_

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "kernels/common/dataset/data_set.h"
#include "kernels/common/dataset/graph/recipe.h"

namespace sluice::proto {
class FunctionDef;
class GraphDef;
}  // namespace sluice::proto

namespace sluice::kernels {

// The nodes that make a data set, as a graph that can be changed, written, and
// run again.
struct DataSetGraph {
  // A tensor, or the index of a node.
  using Source = std::variant<Tensor, size_t>;
  struct Node {
    std::string name, op;  // no name: any
    AttrMap attrs;
    std::vector<Source> inputs;
  };
  std::vector<Node> nodes;
  size_t result = 0;
  // The libraries in which the attributes name functions.
  std::vector<std::shared_ptr<const proto::FunctionDefLibrary>> functions;
  int64_t producer_version = 0;

  // FAILED_PRECONDITION if the data set itself has no recipe. Data sets in it
  // without a recipe stay tensors.
  static absl::StatusOr<DataSetGraph> Of(const DataSet& set);
  // Null if no library has it.
  const proto::FunctionDef* FindFunction(absl::string_view name) const;

  // The graph with its tensors as constants, whose result is the _Retval node
  // "dataset", and the functions that it can call. Errors: FAILED_PRECONDITION
  // names an input that has no constant: a resource, or a data set without a
  // recipe.
  absl::Status Write(proto::GraphDef* def) const;
  // Runs the graph. Waits. Its tensors are not copied, and its nodes keep their names.
  absl::StatusOr<RefPtr<const DataSet>> Run(KernelContext& ctx, const std::string& device) const;
};

// Runs a graph that makes a data set and has a _Retval node. Waits.
// Errors: INVALID_ARGUMENT if the graph is damaged or has another result.
absl::StatusOr<RefPtr<const DataSet>> RunGraph(KernelContext& ctx, const std::string& device,
                                               proto::GraphDef def);

// The bytes of a graph. RESOURCE_EXHAUSTED if it is larger than a message can be.
absl::StatusOr<std::string> Serialize(const proto::GraphDef& def);

// A number of the graph that is the same in each process. Names of functions do not count.
uint64_t FingerprintOf(proto::GraphDef def);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_DATA_SET_GRAPH_H_
