// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CLIENT_SCOPE_H_
#define SLUICE_CLIENT_SCOPE_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/graph.h"

namespace sluice::client {

// A Scope is where the typed ops of client/ops/*.h are made: a graph, and what new nodes get beside
// their inputs and attributes.
//
// Owner:    anybody; copies are cheap. The graph outlives it.
// Threads:  those of the graph: one at a time.
// Errors:   the first op that cannot be made leaves its error in status(), which a scope shares
// with
//           those made of it; that op and all after it give Outputs without a tensor.
class Scope {
 public:
  explicit Scope(Graph* graph);

  Scope In(absl::string_view name) const;     // names of nodes begin with "<name>/"
  Scope Named(absl::string_view name) const;  // the node's own name; else it is the op's
  Scope On(absl::string_view device) const;   // "/job:worker/task:1", "" for any
  Scope After(const std::vector<graph::Node*>& control_inputs) const;

  Graph& graph() const { return *graph_; }
  const absl::Status& status() const { return *status_; }

 private:
  friend class NewNode;

  Graph* graph_;
  std::shared_ptr<absl::Status> status_;  // of every scope made of the first
  std::string prefix_, name_, device_;
  std::vector<graph::Node*> control_inputs_;
};

// A constant of a number, or of a tensor, in a scope.
Output Constant(const Scope& scope, const Tensor& value);
template <typename T>
Output Constant(const Scope& scope, T value) {
  return Constant(scope, Tensor::Scalar(value));
}

// A NewNode is what the typed ops are made of: one node, from its inputs to its outputs.
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

  // Adds the node; null when that failed, now or before.
  graph::Node* Add();
  // Of the node that was added: its outputs of the op's argument i.
  client::Output Single(int i) const;
  std::vector<client::Output> List(int i) const;

 private:
  const Scope& scope_;  // only while the op is made
  const std::string op_;
  std::vector<client::Output> inputs_;
  AttrMap attrs_;
  bool input_missing_ = false;
  graph::Node* node_ = nullptr;
  ArgTypes outputs_;
};

}  // namespace sluice::client

#endif  // SLUICE_CLIENT_SCOPE_H_
