#ifndef SLUICE_GRAPH_SHAPE_INFERENCE_H_
#define SLUICE_GRAPH_SHAPE_INFERENCE_H_

#include <optional>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

// What a shape function sees: the node, what is known of its inputs' shapes and constant values; it sets its outputs' shapes.
class ShapeContext {
 public:
  const Node& node;
  std::vector<PartialShape> inputs;
  std::vector<const Tensor*> constants;   // by input; null when not known
  std::vector<PartialShape> outputs;      // start as unknown rank

  template <typename T>
  absl::StatusOr<T> Get(absl::string_view attr) const { return GetAttr<T>(node.attrs, attr); }
};

using ShapeFunction = absl::Status (*)(ShapeContext&);
// The function for an op; null when the op has none (outputs are then unknown).
ShapeFunction FindShapeFunction(absl::string_view op);

// The inferred shapes of every node's outputs, by node id. INVALID_ARGUMENT names the node whose inputs cannot fit.
using GraphShapes = std::vector<std::vector<PartialShape>>;
absl::StatusOr<GraphShapes> InferShapes(const Graph& graph);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SHAPE_INFERENCE_H_
