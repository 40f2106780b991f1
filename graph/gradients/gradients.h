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

// The gradient of a tensor: a dense tensor, or, for a gather, only the rows that were read. Then
// values[i] is the gradient of row indices[i] of a tensor of shape dense_shape, and rows may
// repeat.
struct GradientOutput {
  Output values;
  Output indices;  // if it has no tensor, the gradient is dense
  Output dense_shape;
  bool sparse() const { return static_cast<bool>(indices); }
};

struct GradientOptions {
  std::string scope = "gradients";          // prefix of the new nodes' names
  std::string device = {};                  // requested by the new nodes
  const GraphShapes* shapes = nullptr;      // known shapes save nodes at run time; may be null
  std::vector<Output> stop_gradients = {};  // treated as constants
  // If a node has several gradients, each waits for all of them: a variable is not updated while
  // another gradient of the node still reads it.
  bool gate = false;
  bool colocate = false;  // place the gradients of a node with that node
  // Nodes before this id were sent to a session and cannot be changed. If such a loop is
  // differentiated, it runs a second time.
  int frozen_ids = 0;
};

// How an op treats a gradient: a function computes it, the op passes none on (a comparison, a
// shape), or the request is an error.
enum class GradientKind { kFunction, kNone, kUnknown };
GradientKind GradientKindOf(absl::string_view op);

// Adds the nodes that compute d sum(ys * grad_ys) / d xs; a missing grad_y is all ones. An x that
// no y depends on gets no tensor. Reverse accumulation: every node between xs and ys is visited
// once, after all its consumers. A grad_y may have another floating type than its y, if the
// gradients of the ops between allow it.
//
// UNIMPLEMENTED names an op without a gradient, or a loop that the gradient would have to enter.
// Then the graph is unchanged.
absl::StatusOr<std::vector<std::optional<GradientOutput>>> AddGradients(
    Graph& graph, absl::Span<const Output> ys, absl::Span<const Output> xs,
    absl::Span<const std::optional<Output>> grad_ys, const GradientOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRADIENTS_GRADIENTS_H_
