#ifndef SLUICE_CLIENT_GRAPH_H_
#define SLUICE_CLIENT_GRAPH_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "graph/graph.h"
#include "graph/shape_inference.h"

namespace sluice::proto {
class GraphDef;
}

namespace sluice::client {

// An output of a node: a tensor of the graph.
struct Output {
  graph::Node* node = nullptr;
  int index = 0;
  std::string name() const;  // "MatMul:0"
  DType dtype() const;       // without the reference mark
};

// A Graph under construction: nodes are checked, typed and shaped as they are added.
//
// Owner:    the program. Outlives the Outputs it gave.
// Threads:  one at a time.
class Graph {
 public:
  Graph();

  struct NodeOptions {
    std::string name;                            // made unique; empty: the op's name
    std::string device;
    std::vector<graph::Node*> control_inputs;
  };
  // INVALID_ARGUMENT says what does not fit: an unknown op, number or dtype of inputs, attributes, shapes. Attributes that follow
  // from the inputs (T, N, ...) need not be given.
  absl::StatusOr<graph::Node*> AddNode(absl::string_view op, const std::vector<Output>& inputs, AttrMap attrs,
                                       const NodeOptions& options);
  absl::StatusOr<Output> Find(absl::string_view tensor_name) const;  // "a:0"
  const PartialShape& shape(const Output& output) const;
  // After nodes were added to graph() by others (gradients): infers the shapes of all that have none yet.
  absl::Status InferNewShapes();

  graph::Graph& graph() { return graph_; }
  const graph::Graph& graph() const { return graph_; }
  // Nodes with id >= first_id as a GraphDef: what an ExtendSession sends.
  void Export(int first_id, proto::GraphDef* def) const;

 private:
  absl::Status InferShapes(const graph::Node& node);
  graph::Graph graph_;
  graph::GraphShapes shapes_;      // by node id
};

// Fills the type and number attributes of `op` that its inputs determine.
absl::Status InferAttrs(const OpDef& op, const std::vector<Output>& inputs, AttrMap& attrs);

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_GRAPH_H_
