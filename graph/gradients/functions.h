// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRADIENTS_FUNCTIONS_H_
#define SLUICE_GRAPH_GRADIENTS_FUNCTIONS_H_

#include "absl/types/span.h"
#include "graph/gradients/node_gradient.h"

// Common code of the gradients of calls, conditionals and loops.

namespace sluice::graph {

// Adds outputs to a node. The attribute with this name lists their types.
void ExtendOutputs(Node& node, absl::string_view types_attr, absl::Span<const DType> types);

// Zeros for the gradient of x: of its value, or for a handle of the variable of this type.
Output ZerosOf(Builder& b, const Output& x, DType type);

void WhileGradient(NodeGradient& g);
void NamedCallGradient(NodeGradient& g);  // for a node whose op is the name of a function

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_FUNCTIONS_H_
