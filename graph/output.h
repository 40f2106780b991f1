// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_OUTPUT_H_
#define SLUICE_GRAPH_OUTPUT_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "graph/graph.h"

namespace sluice::graph {

// An output of a node: a tensor of the graph. Without a node, it is not a tensor.
struct Output {
  Node* node = nullptr;
  int index = 0;

  explicit operator bool() const { return node != nullptr; }
  bool operator==(const Output&) const = default;
  std::string name() const { return absl::StrCat(node->name(), ":", index); }  // "MatMul:0"
  // Without the reference mark; kInvalid if there is no tensor.
  DType dtype() const { return node == nullptr ? kInvalid : RemoveRef(node->output_types[index]); }

  template <typename H>
  friend H AbslHashValue(H h, const Output& o) {
    return H::combine(std::move(h), o.node, o.index);
  }
};

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_OUTPUT_H_
