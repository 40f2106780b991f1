// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_GRAPH_H_
#define SLUICE_CLIENT_GRAPH_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "graph/gradients/gradients.h"
#include "graph/output.h"
#include "graph/shape_inference.h"

namespace sluice::proto {
class GraphDef;
}

namespace sluice::client {

using graph::GradientOutput;
using graph::Output;

// A Graph under construction. Nodes are checked and get types and shapes when they are added.
//
// Owner:    the program. Outlives the Outputs that it returned.
// Threads:  one at a time.
class Graph {
 public:
  Graph();

  struct NodeOptions {
    std::string name = "";  // made unique; empty: the op's name
    std::string device = "";
    std::vector<graph::Node*> control_inputs = {};
  };
  // INVALID_ARGUMENT describes the error: an unknown op, number or dtype of inputs, attributes,
  // shapes. Attributes that follow from the inputs (T, N, ...) are optional.
  absl::StatusOr<graph::Node*> AddNode(absl::string_view op, const std::vector<Output>& inputs,
                                       AttrMap attrs, const NodeOptions& options);
  absl::StatusOr<Output> Find(absl::string_view tensor_name) const;  // "a:0"
  const PartialShape& shape(const Output& output) const;
  // Sets a shape that the program knows; inference for later nodes uses it.
  void set_shape(const Output& output, const PartialShape& shape);

  struct GradientsOptions {
    std::string scope = "gradients";          // prefix of the new nodes' names
    std::vector<Output> stop_gradients = {};  // treated as constants
    bool gate = false;      // the gradients of a node are used only after all of them are computed
    bool colocate = false;  // places the gradients of a node with that node
  };
  // Adds the nodes that compute d sum(ys * grad_ys) / d xs: graph/gradients/gradients.h.
  absl::StatusOr<std::vector<std::optional<GradientOutput>>> Gradients(
      const std::vector<Output>& ys, const std::vector<Output>& xs,
      const std::vector<std::optional<Output>>& grad_ys, const GradientsOptions& options);
  absl::StatusOr<std::vector<std::optional<GradientOutput>>> Gradients(
      const std::vector<Output>& ys, const std::vector<Output>& xs) {
    return Gradients(ys, xs, {}, {});
  }

  // Makes a function of `body`, whose arguments are the nodes of `args`. Returns its name, which
  // begins with `name`. Stateful nodes of the body, and `control_rets`, run with it.
  absl::StatusOr<std::string> AddFunction(const std::string& name, const Graph& body,
                                          const std::vector<Output>& args,
                                          const std::vector<Output>& rets,
                                          const std::vector<graph::Node*>& control_rets);
  bool stateful() const;  // whether some node is stateful

  graph::Graph& graph() { return graph_; }
  const graph::Graph& graph() const { return graph_; }
  // Adds the nodes of a serialised GraphDef and its functions. Inputs may be existing nodes. After
  // an error the graph is unchanged.
  absl::Status Import(const std::string& graph_def);
  // A line of the program that made nodes.
  struct Place {
    std::string file;
    int line = 0;
    std::string function;
  };
  // Sets the source lines of nodes from id `first_id` on: each is an index in `places`, or -1. They
  // are sent with the nodes; servers name them in errors.
  void SetPlaces(int first_id, const std::vector<int>& of_node, const std::vector<Place>& places);
  // Nodes with id >= first_id as a GraphDef, for ExtendSession. They cannot change afterwards.
  absl::Status Export(int first_id, proto::GraphDef* def) const;
  absl::StatusOr<std::string> Serialize() const;  // a GraphDef's bytes

 private:
  absl::Status InferShapes(const graph::Node& node);
  void ForgetShapesFrom(int first_id);
  absl::Status InferNewShapes();  // for nodes that were added to graph() without AddNode
  absl::Status ExportFrom(int first_id, proto::GraphDef* def) const;
  void ExportPlaces(int first_id, proto::GraphDef* def) const;
  graph::Graph graph_;
  mutable int exported_ids_ = 0;  // nodes before this one were sent to a session
  graph::GraphShapes shapes_;     // by node id
  std::vector<std::vector<std::optional<graph::KnownInts>>> ints_;  // known values, the same way
  graph::GraphShapes holds_;       // the same for the content of resource handles
  mutable absl::Mutex places_mu_;  // one session may read places while another sends them
  std::vector<Place> places_ ABSL_GUARDED_BY(places_mu_);
  std::vector<int> place_of_ ABSL_GUARDED_BY(places_mu_);  // by node id; -1: not known
};

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_GRAPH_H_
