// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRADIENTS_FUNCTIONS_H_
#define SLUICE_GRAPH_GRADIENTS_FUNCTIONS_H_

#include "absl/types/span.h"
#include "graph/gradients/node_gradient.h"

// Shared code of the gradients of calls, conditionals and loops.

namespace sluice::graph {

// Gives a node more outputs, which its attribute of this name lists.
void ExtendOutputs(Node& node, absl::string_view types_attr, absl::Span<const DType> types);

// Zeros for the gradient of x: of its value, for the handle of a variable of this type.
Output ZerosOf(Builder& b, const Output& x, DType type);

void WhileGradient(NodeGradient& g);
void NamedCallGradient(NodeGradient& g);  // of a node whose op is a function's name

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_FUNCTIONS_H_
