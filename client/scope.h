// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_SCOPE_H_
#define SLUICE_CLIENT_SCOPE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/graph.h"

namespace sluice::client {

// A Scope is the first argument of the typed ops in client/ops/*.h: a graph, and the properties
// that new nodes get in addition to their inputs and attributes.
//
// Owner:    the caller; copies are cheap. The graph outlives it.
// Threads:  those of the graph: one at a time.
// Errors:   the first op that cannot be made leaves its error in status(), which a scope has in
//           common with scopes made from it. That op and all later ones return Outputs without a
//           tensor.
class Scope {
 public:
  explicit Scope(Graph* graph);

  Scope In(absl::string_view name) const;     // names of nodes begin with "<name>/"
  Scope Named(absl::string_view name) const;  // the node's own name; the default is the op's
  Scope On(absl::string_view device) const;   // "/job:worker/task:1", "" for any
  Scope After(const std::vector<graph::Node*>& control_inputs) const;

  Graph& graph() const { return *graph_; }
  const absl::Status& status() const { return *status_; }

 private:
  friend class NewNode;

  Graph* graph_;
  std::shared_ptr<absl::Status> status_;  // common to all scopes made from the first
  std::string prefix_, name_, device_;
  std::vector<graph::Node*> control_inputs_;
};

// A constant from a number, or from a tensor.
Output Constant(const Scope& scope, const Tensor& value);
template <typename T>
Output Constant(const Scope& scope, T value) {
  return Constant(scope, Tensor::Scalar(value));
}

// A NewNode adds one node, from its inputs to its outputs. Typed ops use it.
class NewNode {
 public:
  NewNode(const Scope& scope, absl::string_view op) : scope_(scope), op_(op) {}

  void Input(const Output& input);
  void Input(const std::vector<Output>& inputs);

  // T: one of the alternatives of Attr::Value; nullopt leaves the op's default.
  template <typename T>
  void Set(absl::string_view name, const T& value);
  template <typename T>
  void Set(absl::string_view name, const std::optional<T>& value) {
    if (value) Set(name, *value);
  }

  // Adds the node. Null if that failed, now or before.
  graph::Node* Add();
  // The outputs of the added node for the op's argument i.
  client::Output Single(int i) const;
  std::vector<client::Output> List(int i) const;

 private:
  const Scope& scope_;  // lives only while the op is made
  const std::string op_;
  std::vector<client::Output> inputs_;
  AttrMap attrs_;
  bool input_missing_ = false;
  graph::Node* node_ = nullptr;
  ArgTypes outputs_;
};

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_SCOPE_H_
