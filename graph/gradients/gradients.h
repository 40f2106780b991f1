// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRADIENTS_GRADIENTS_H_
#define SLUICE_GRAPH_GRADIENTS_GRADIENTS_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "graph/output.h"
#include "graph/shape_inference.h"

namespace sluice::graph {

// The gradient of a tensor: the derivative itself, or, behind a gather, only the rows that were
// read: values[i] belongs to row indices[i] of a tensor of shape dense_shape, and rows may repeat.
struct GradientOutput {
  Output values;
  Output indices;  // no tensor: dense
  Output dense_shape;
  bool sparse() const { return static_cast<bool>(indices); }
};

struct GradientOptions {
  std::string scope = "gradients";          // prefix of the new nodes' names
  std::string device = {};                  // requested by the new nodes
  const GraphShapes* shapes = nullptr;      // what is known saves nodes at run time; may be null
  std::vector<Output> stop_gradients = {};  // taken as constants
  // If a node has several gradients, each waits for all of them: a variable is not updated while
  // another gradient of the node still reads it.
  bool gate = false;
  bool colocate = false;  // place the gradients of a node with that node
  // Nodes before this id were sent to a session and cannot be changed: a loop among them that is
  // differentiated runs a second time.
  int frozen_ids = 0;
};

// Whether a gradient can flow back through an op: a function of it is known, none flows (a
// comparison, a shape), or asking for it is an error.
enum class GradientKind { kFunction, kNone, kUnknown };
GradientKind GradientKindOf(absl::string_view op);

// Adds the nodes that compute d sum(ys * grad_ys) / d xs; a missing grad_y is all ones. Nothing for
// an x that no y depends on. Reverse accumulation: every node between xs and ys once, after all its
// consumers. A grad_y may have another floating type than its y, where the gradients of the ops
// between allow it.
//
// UNIMPLEMENTED names an op without a gradient, or the loop that the way back leads into; the graph
// is then as it was.
absl::StatusOr<std::vector<std::optional<GradientOutput>>> AddGradients(
    Graph& graph, absl::Span<const Output> ys, absl::Span<const Output> xs,
    absl::Span<const std::optional<Output>> grad_ys, const GradientOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_GRADIENTS_H_
