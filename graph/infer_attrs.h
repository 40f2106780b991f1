// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_INFER_ATTRS_H_
#define SLUICE_GRAPH_INFER_ATTRS_H_

#include "absl/types/span.h"
#include "graph/output.h"

namespace sluice::graph {

// Sets the type and number attributes of `op` that its inputs determine. INVALID_ARGUMENT if inputs
// are missing, or disagree with each other or with a given attribute.
absl::Status InferAttrs(const OpDef& op, absl::Span<const Output> inputs, AttrMap& attrs);

// Adds a node with these inputs to the graph. INVALID_ARGUMENT, and no node, if they do not fit the
// op.
struct NewNode {
  std::string name;  // made unique; empty: the op's name
  std::string device;
};
absl::StatusOr<Node*> AddNode(Graph& graph, absl::string_view op, absl::Span<const Output> inputs,
                              AttrMap attrs, const NewNode& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_INFER_ATTRS_H_
