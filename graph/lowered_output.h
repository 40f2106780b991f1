// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_LOWERED_OUTPUT_H_
#define SLUICE_GRAPH_LOWERED_OUTPUT_H_

#include "absl/strings/string_view.h"
#include "graph/output.h"

// A node that graph/lowering/ replaced stays under its name as an IdentityN or a NoOp with this
// attribute.

namespace sluice::graph {

inline constexpr absl::string_view kLowered = "_lowered";

bool IsLowered(const Node& node);

// The tensor that consumers of an output of a lowered node read. For another node, the output
// itself.
Output LoweredOutput(const Node& node, int output);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_LOWERED_OUTPUT_H_
