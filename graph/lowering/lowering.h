// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_LOWERING_LOWERING_H_
#define SLUICE_GRAPH_LOWERING_LOWERING_H_

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "graph/function_body.h"
#include "graph/lowering/lower_functions.h"
#include "graph/output.h"

namespace sluice::graph {

// The nodes of a body that count as its side effects.
enum class Effects { kControlRets, kControlRetsOrAll, kAll };

// The replacement of a node: its outputs, and the nodes that must be done for it to be done.
struct Replacement {
  std::vector<Output> outputs;
  std::vector<bool> own;  // by output: only this output is read there
  std::vector<Node*> done;
};

// One call of LowerFunctions: a list of nodes to replace. The new nodes may have to be replaced in
// turn.
//
// Files:    inline.cc (bodies and calls), branches.cc (If, Case), loops.cc (While, For),
//           lower_functions.cc (the list, replacing),
//           gradient.cc (SymbolicGradient), remote.cc (RemoteCall).
class Lowering {
 public:
  Lowering(Graph& graph, const LowerOptions& options) : graph_(graph), options_(options) {}
  absl::Status Run();

 private:
  struct Work {
    Node* node;
    bool conditional;  // may be dead, or run more than once: no node may start without an input
    bool client;       // the client knows its name
  };
  // Makes, once and on demand, a node that is live exactly if the body runs.
  using Pivot = std::function<absl::StatusOr<Node*>()>;
  struct Site {
    std::string prefix;
    std::string device;
    bool own_devices = true;  // nodes of the body may request their own devices
    bool conditional = false;
    bool strict = false;   // state is read and changed only when all args have come
    std::string instance;  // see FunctionBody::noinline; empty: none
    std::vector<Output> args;
    Pivot pivot;
  };
  struct Inlined {
    std::vector<Output> rets;
    std::vector<Node*> effects;
  };

  // lower_functions.cc
  absl::Status Lower(const Work& work);
  absl::StatusOr<Replacement> Replace(const Work& work);
  absl::Status Install(const Work& work, Replacement replacement);
  absl::Status RewireExtension();
  std::vector<bool> BehindFlow() const;

  // inline.cc
  absl::StatusOr<const FunctionBody*> Body(const std::string& name, const AttrMap& attrs);
  absl::StatusOr<const FunctionBody*> Body(const FunctionRef& function);  // null attrs: none
  static absl::Status CheckTypes(const FunctionBody& body, absl::Span<const DType> args,
                                 absl::Span<const DType> rets);
  absl::StatusOr<Inlined> Inline(const FunctionBody& body, const Site& site, Effects effects);
  Node* Copy(const Node& node, const FunctionBody& body, const Site& site);
  absl::Status CopyEdges(const FunctionBody& body, const Site& site,
                         const std::vector<Node*>& copies);
  absl::Status Anchor(const FunctionBody& body, const Site& site, const std::vector<Node*>& copies);
  absl::StatusOr<Replacement> Call(const Work& work, const FunctionRef& function,
                                   std::vector<Output> args);
  absl::StatusOr<Replacement> Put(const Work& work, const FunctionBody& body,
                                  std::vector<Output> args);
  // The input values of `node`, each after all of its control inputs.
  absl::StatusOr<std::vector<Output>> Inputs(const Node& node);
  Pivot PivotOf(const Node& node, std::vector<Output> inputs);
  // Whether state has to wait for args: there are several, and nodes that make them run first.
  static bool IsStrict(absl::Span<const Output> args);
  // Lets `pivot` run after all of `inputs`, those of `node`.
  absl::Status WaitFor(const Node& node, absl::Span<const Output> inputs, Node* pivot);
  // Makes the outputs available only after `effects` have run.
  absl::Status Gate(const Node& node, const std::vector<Node*>& effects, Replacement& replacement);
  Site SiteOf(const Work& work, absl::string_view part) const;

  // remote.cc
  static bool StatesTarget(const Node& node);
  absl::StatusOr<bool> AimRemoteCall(Node& node) const;
  absl::StatusOr<Replacement> CallOnOneTask(const Work& work);

  // gradient.cc
  absl::StatusOr<Replacement> Gradient(const Work& work, const FunctionRef& function,
                                       std::vector<Output> inputs);
  absl::StatusOr<const FunctionBody*> GradientBody(const FunctionRef& function,
                                                   absl::Span<const DType> types);

  // branches.cc
  absl::StatusOr<Replacement> Branches(const Work& work, const std::vector<FunctionRef>& branches);
  // Adds the node's outputs: each merges those of the branches.
  absl::Status MergeBranches(const Node& node, const std::vector<Inlined>& branches,
                             Replacement& replacement);
  // A node that is done when the effects of the taken branch are done.
  absl::StatusOr<Node*> EndOfBranches(const Node& node, Node* taken,
                                      const std::vector<Inlined>& branches);

  // loops.cc
  struct Loop;
  absl::StatusOr<Replacement> While(const Work& work);
  absl::StatusOr<Replacement> For(const Work& work);
  absl::Status CheckRange(const Node& node, std::vector<Output>& inputs);
  absl::StatusOr<Replacement> MakeLoop(const Work& work, Loop loop);

  // A node made for `caller`, called "caller>what".
  absl::StatusOr<Node*> Add(const Node& caller, absl::string_view what, absl::string_view op,
                            absl::Span<const Output> inputs, AttrMap attrs = {});
  absl::StatusOr<Output> ToBool(const Node& caller, Output value);
  bool IsFunctional(const Node& node) const;
  bool Wanted(const Node& node) const;  // it must be lowered in this call
  static bool MarkedForLowering(const Node& node);

  Graph& graph_;
  const LowerOptions& options_;
  std::vector<Work> work_;
  struct Kept {
    AttrMap attrs;
    FunctionBody body;
  };
  absl::flat_hash_map<std::string, std::deque<Kept>> bodies_;  // by function
};

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_LOWERING_LOWERING_H_
