// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_GRAPH_H_
#define SLUICE_GRAPH_GRAPH_H_

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/types/span.h"
#include "core/op/attr.h"
#include "core/op/op_def.h"
#include "core/op/op_registry.h"

namespace sluice::graph {

class Node;
struct FunctionLibrary;

constexpr int kControl = -1;

// A data edge (output index -> input index) or a control edge (both kControl).
struct Edge {
  Node* src;
  int src_output;
  Node* dst;
  int dst_input;
  bool control() const { return src_output == kControl; }

 private:
  friend class Graph;
  size_t out_at_ = 0, in_at_ = 0;  // its index in src's and dst's lists
};

// A node's role in control flow. The Ref forms count as the plain forms.
enum class Flow : uint8_t { kNone, kSwitch, kMerge, kEnter, kExit, kNextIteration, kLoopCond };

// A Node is an op with its attributes, devices and edges. Owned by its Graph; the id is its index
// there.
class Node {
 public:
  int id() const { return id_; }
  const std::string& name() const { return name_; }
  const std::string& op() const { return op_; }
  // Null for an unknown op or function.
  const OpDef* op_def() const { return op_def_; }
  OpKind kind() const { return kind_; }
  Flow flow() const { return flow_; }

  AttrMap attrs;                 // complete and checked when op_def is known
  std::string requested_device;  // as the client wrote it
  std::string device;            // full name, once placed
  // By flat index; references are MakeRef(base). An unknown op has as many inputs as data edges,
  // and as many outputs of kInvalid as consumers use.
  std::vector<DType> input_types;
  std::vector<DType> output_types;

  // Data and control edges, in no particular order.
  const std::vector<Edge*>& in_edges() const { return in_; }
  const std::vector<Edge*>& out_edges() const { return out_; }
  // The data edge into this input, or null.
  Edge* input(int index) const {
    return index < static_cast<int>(inputs_.size()) ? inputs_[index] : nullptr;
  }
  int num_inputs() const { return static_cast<int>(input_types.size()); }
  int num_outputs() const { return static_cast<int>(output_types.size()); }
  bool stateful() const { return op_def_ != nullptr && op_def_->stateful; }
  // `node "conv1" (Conv2D)`, for errors.
  std::string Label() const;

 private:
  friend class Graph;
  int id_ = 0;
  std::string name_;
  std::string op_;
  const OpDef* op_def_ = nullptr;
  OpKind kind_ = OpKind::kCompute;
  Flow flow_ = Flow::kNone;
  std::vector<Edge*> in_, out_;
  std::vector<Edge*> inputs_;  // data edges by input index
};

// An argument or a result of a graph: it computes nothing.
inline bool IsArgOrRetval(const Node& node) {
  return node.kind() == OpKind::kArg || node.kind() == OpKind::kRetval;
}

// The only edges that may close a cycle.
inline bool IsBackEdge(const Edge& edge) {
  return edge.src->flow() == Flow::kNextIteration && edge.dst->flow() == Flow::kMerge;
}

// The type of an output without its reference. For an unknown op, the type that a consumer expects
// (float if there is none).
DType BaseOutputType(const Node& node, int output);

// A Graph is nodes and edges. Not synchronised: one thread builds or rewrites it, then it is only
// read.
class Graph {
 public:
  explicit Graph(const OpRegistry* ops);
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;
  ~Graph();
  std::unique_ptr<Graph> Clone() const;  // node ids are kept

  const OpRegistry& ops() const { return *ops_; }

  // Adds a node. ALREADY_EXISTS for a name in use. Types follow from the op def and `attrs`, which
  // are completed here; INVALID_ARGUMENT names the node. An unknown op is accepted; the caller sets
  // its types.
  absl::StatusOr<Node*> AddNode(std::string name, std::string op, AttrMap attrs,
                                std::string requested_device = "");
  // Copies a node of this or another graph, without its edges.
  // REQUIRES: the name is free.
  Node* AddCopy(const Node& node, std::string name);
  // REQUIRES: this input has no edge yet.
  Edge* AddEdge(Node* src, int src_output, Node* dst, int dst_input);
  Edge* AddControlEdge(Node* src, Node* dst);  // null, without effect, if it exists
  void RemoveEdge(Edge* edge);
  void RemoveNode(Node* node);   // with its edges
  void RemoveNodesFrom(int id);  // those with this id or a greater one; the ids are given out again
  Node* Find(absl::string_view name) const;          // or null
  std::string UniqueName(absl::string_view prefix);  // "prefix", "prefix_1", ...

  // Live nodes in order of their ids (creation order); removed ones leave null gaps in by_id().
  std::vector<Node*> nodes() const;
  Node* by_id(int id) const { return nodes_[id].get(); }
  int num_ids() const { return static_cast<int>(nodes_.size()); }
  int num_nodes() const { return live_; }

  // Sources before targets; NextIteration -> Merge edges do not count. INVALID_ARGUMENT names a
  // node on a forbidden cycle. With `first_id`, only the nodes from this id on, as if there were no
  // earlier ones.
  absl::StatusOr<std::vector<Node*>> TopologicalOrder(int first_id = 0) const;

  // Moves the nodes into `parts` graphs, node n into part part_of_id[n->id()]. The order is kept;
  // ids are new.
  // REQUIRES: no edge joins two parts.
  std::vector<std::unique_ptr<Graph>> Split(absl::Span<const int> part_of_id, int parts) &&;

  int32_t producer_version = 0;
  int32_t min_consumer = 0;
  std::vector<int32_t> bad_consumers;
  std::shared_ptr<const FunctionLibrary>
      library;  // immutable; an extension makes a new one. Null: no functions

 private:
  Node* Adopt(std::unique_ptr<Node> node);

  const OpRegistry* ops_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::deque<Edge> edges_;  // freed ones are used again
  std::vector<Edge*> free_edges_;
  absl::flat_hash_map<absl::string_view, Node*> by_name_;  // views of the nodes' own names
  absl::flat_hash_map<std::string, int> suffixes_;
  int live_ = 0;
};

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_GRAPH_H_
