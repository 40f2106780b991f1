// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_FUSED_FUNCTIONS_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_FUSED_FUNCTIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "kernels/common/dataset/graph/data_set_graph.h"

namespace sluice::proto {
class OpDef;
}  // namespace sluice::proto

namespace sluice::kernels {

// Functions that do what two functions of a data set do, in one call. Each
// takes an element, the tensors that the first captures, and those that the
// second captures. They are added to the graph.
//
// None if a function has state, or attributes of its own: then one call cannot
// replace two. (An error of the first would not keep the second from drawing a
// random number.)
class FusedFunctions {
 public:
  explicit FusedFunctions(DataSetGraph& graph) : graph_(graph) {}

  // The second function of the first one's results.
  std::optional<FunctionRef> Chain(const FunctionRef& first, const FunctionRef& second);
  // The first one's results, and the second, a predicate, of them.
  std::optional<FunctionRef> ChainAndKeep(const FunctionRef& first, const FunctionRef& predicate);
  // Whether both predicates hold. `captures`: of the first. The second is called where the first
  // holds.
  std::optional<FunctionRef> Both(const FunctionRef& first, size_t captures,
                                  const FunctionRef& second);

 private:
  class Writer;
  // The signature of a function that can be fused; else null.
  const proto::OpDef* Fusible(const FunctionRef& function) const;
  std::optional<FunctionRef> Fuse(const FunctionRef& first, const FunctionRef& second, bool keep);
  std::string FreeName() const;
  // The first one's name.
  FunctionRef Add(std::vector<proto::FunctionDef> made);

  DataSetGraph& graph_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_FUSED_FUNCTIONS_H_
