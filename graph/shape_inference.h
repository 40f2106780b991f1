// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_SHAPE_INFERENCE_H_
#define SLUICE_GRAPH_SHAPE_INFERENCE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

// The known integers of an output in row-major order (shape arithmetic); kUnknownInt for an unknown
// one.
using KnownInts = Shape::Dims;
constexpr int64_t kUnknownInt = INT64_MIN;

// The view of a shape function: the node, and the known shapes and values of its inputs. The
// function sets the shapes of the outputs.
class ShapeContext {
 public:
  ShapeContext(const Node& n, int producer);  // nothing is known

  const Node& node;
  const int producer_version;  // of the graph: old producers could not express some shapes
  std::vector<PartialShape> inputs;
  std::vector<const Tensor*> constants;  // by input: the value of a Const, else null
  std::vector<const KnownInts*> ints;    // by input; null if nothing is known
  std::vector<PartialShape>
      held;  // by input: the shape of a resource's content (a variable, an element)
  std::vector<PartialShape> outputs;  // start as unknown rank
  std::vector<PartialShape> outputs_hold;

  template <typename T>
  absl::StatusOr<T> Get(absl::string_view attr) const {
    return GetAttr<T>(node.attrs, attr);
  }
  int num_inputs() const { return static_cast<int>(inputs.size()); }

  // Input i with a rank. INVALID_ARGUMENT if it has another rank; unknown sizes if its rank is
  // unknown.
  absl::StatusOr<PartialShape> OfRank(int i, int rank) const;
  absl::StatusOr<PartialShape> OfRankAtLeast(int i, int rank) const;
  // The shape that input i's value gives, as far as it is known. -1 in it is an unknown size.
  absl::StatusOr<PartialShape> StatedBy(int i) const;
  // The value of an integer scalar, or element of a vector.
  std::optional<int64_t> Int(int i, int element = 0) const;
  // Sets an output from sizes, checked.
  absl::Status Set(int output, absl::Span<const int64_t> dims);
};

using ShapeFunction = absl::Status (*)(ShapeContext&);
// The function of an op; null if the op has none (then outputs are unknown).
ShapeFunction FindShapeFunction(absl::string_view op);

// The inferred shapes of every node's outputs, by node id. INVALID_ARGUMENT names the node whose
// inputs cannot fit.
using GraphShapes = std::vector<std::vector<PartialShape>>;
absl::StatusOr<GraphShapes> InferShapes(const Graph& graph);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_SHAPE_INFERENCE_H_
