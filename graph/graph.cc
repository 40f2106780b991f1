// SPDX-License-Identifier: Apache-2.0
#include "graph/graph.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "core/op/op_registry.h"

namespace sluice::graph {
namespace {

Flow FlowOf(OpKind kind) {
  switch (kind) {
    case OpKind::kSwitch:
    case OpKind::kSwitchN:
      return Flow::kSwitch;
    case OpKind::kMerge:
      return Flow::kMerge;
    case OpKind::kEnter:
      return Flow::kEnter;
    case OpKind::kExit:
      return Flow::kExit;
    case OpKind::kNextIteration:
      return Flow::kNextIteration;
    case OpKind::kLoopCond:
      return Flow::kLoopCond;
    default:
      return Flow::kNone;
  }
}

// Removes the edge at `at` from a list; the last edge takes its place.
template <typename Place>
void SwapOut(std::vector<Edge*>& list, size_t at, Place place) {
  list[at] = list.back();
  place(list[at]) = at;
  list.pop_back();
}

}  // namespace

std::string Node::Label() const { return absl::StrCat("node \"", name_, "\" (", op_, ")"); }

DType BaseOutputType(const Node& node, int output) {
  if (node.output_types[output] != kInvalid) return RemoveRef(node.output_types[output]);
  for (const Edge* edge : node.out_edges()) {
    if (edge->src_output != output) continue;
    const DType type = RemoveRef(edge->dst->input_types[edge->dst_input]);
    if (type != kInvalid) return type;
  }
  return kFloat;
}

Graph::Graph(const OpRegistry* ops) : ops_(ops) {}
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;
Graph::~Graph() = default;

std::unique_ptr<Graph> Graph::Clone() const {
  auto copy = std::make_unique<Graph>(ops_);
  copy->producer_version = producer_version;
  copy->min_consumer = min_consumer;
  copy->bad_consumers = bad_consumers;
  copy->library = library;
  copy->nodes_.resize(nodes_.size());
  copy->by_name_.reserve(live_);
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    auto twin = std::make_unique<Node>(*node);
    twin->in_.clear();
    twin->out_.clear();
    twin->inputs_.clear();
    copy->by_name_.emplace(twin->name_, twin.get());
    copy->nodes_[node->id_] = std::move(twin);
  }
  copy->live_ = live_;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (const Edge* edge : node->in_) {
      copy->AddEdge(copy->nodes_[edge->src->id_].get(), edge->src_output,
                    copy->nodes_[node->id_].get(), edge->dst_input);
    }
  }
  return copy;
}

Node* Graph::Adopt(std::unique_ptr<Node> node) {
  node->id_ = static_cast<int>(nodes_.size());
  by_name_.emplace(node->name_, node.get());
  ++live_;
  return nodes_.emplace_back(std::move(node)).get();
}

absl::StatusOr<Node*> Graph::AddNode(std::string name, std::string op, AttrMap attrs,
                                     std::string requested_device) {
  if (by_name_.contains(name)) return AlreadyExists("node \"", name, "\" is there already");
  auto node = std::make_unique<Node>();
  node->name_ = std::move(name);
  node->op_ = std::move(op);
  node->attrs = std::move(attrs);
  node->requested_device = std::move(requested_device);
  node->op_def_ = ops_->Find(node->op_);
  if (node->op_def_ != nullptr) {
    node->kind_ = node->op_def_->kind;
    node->flow_ = FlowOf(node->kind_);
    ArgTypes inputs, outputs;
    absl::Status status = CheckAndCompleteAttrs(*node->op_def_, node->attrs);
    if (status.ok()) status = ResolveArgs(*node->op_def_, node->attrs, &inputs, &outputs);
    if (!status.ok()) return Annotate(status, node->Label());
    node->input_types = std::move(inputs.types);
    node->output_types = std::move(outputs.types);
  }
  return Adopt(std::move(node));
}

Node* Graph::AddCopy(const Node& node, std::string name) {
  auto copy = std::make_unique<Node>();
  copy->name_ = std::move(name);
  copy->op_ = node.op_;
  copy->op_def_ = node.op_def_;
  copy->kind_ = node.kind_;
  copy->flow_ = node.flow_;
  copy->attrs = node.attrs;
  copy->requested_device = node.requested_device;
  copy->input_types = node.input_types;
  copy->output_types = node.output_types;
  return Adopt(std::move(copy));
}

Edge* Graph::AddEdge(Node* src, int src_output, Node* dst, int dst_input) {
  Edge* edge;
  if (free_edges_.empty()) {
    edge = &edges_.emplace_back();
  } else {
    edge = free_edges_.back();
    free_edges_.pop_back();
  }
  edge->src = src;
  edge->src_output = src_output;
  edge->dst = dst;
  edge->dst_input = dst_input;
  edge->out_at_ = src->out_.size();
  edge->in_at_ = dst->in_.size();
  src->out_.push_back(edge);
  dst->in_.push_back(edge);
  if (!edge->control()) {
    if (dst_input >= static_cast<int>(dst->inputs_.size())) dst->inputs_.resize(dst_input + 1);
    dst->inputs_[dst_input] = edge;
  }
  return edge;
}

Edge* Graph::AddControlEdge(Node* src, Node* dst) {
  const bool by_src = src->out_.size() < dst->in_.size();
  for (const Edge* edge : by_src ? src->out_ : dst->in_) {
    if (edge->control() && edge->src == src && edge->dst == dst) return nullptr;
  }
  return AddEdge(src, kControl, dst, kControl);
}

void Graph::RemoveEdge(Edge* edge) {
  SwapOut(edge->src->out_, edge->out_at_, [](Edge* e) -> size_t& { return e->out_at_; });
  SwapOut(edge->dst->in_, edge->in_at_, [](Edge* e) -> size_t& { return e->in_at_; });
  if (!edge->control()) edge->dst->inputs_[edge->dst_input] = nullptr;
  free_edges_.push_back(edge);
}

void Graph::RemoveNode(Node* node) {
  while (!node->in_.empty()) RemoveEdge(node->in_.back());
  while (!node->out_.empty()) RemoveEdge(node->out_.back());
  by_name_.erase(node->name_);
  --live_;
  nodes_[node->id_].reset();
}

void Graph::RemoveNodesFrom(int id) {
  for (int i = id; i < num_ids(); ++i) {
    if (nodes_[i] != nullptr) RemoveNode(nodes_[i].get());
  }
  nodes_.resize(id);
}

Node* Graph::Find(absl::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

std::string Graph::UniqueName(absl::string_view prefix) {
  std::string name(prefix);
  if (!by_name_.contains(name)) return name;
  int& suffix = suffixes_[name];
  do {
    name = absl::StrCat(prefix, "_", ++suffix);
  } while (by_name_.contains(name));
  return name;
}

std::vector<Node*> Graph::nodes() const {
  std::vector<Node*> live;
  live.reserve(live_);
  for (const auto& node : nodes_) {
    if (node != nullptr) live.push_back(node.get());
  }
  return live;
}

absl::StatusOr<std::vector<Node*>> Graph::TopologicalOrder(int first_id) const {
  std::vector<int> pending(nodes_.size(), 0);
  std::vector<Node*> order;
  order.reserve(live_);
  int64_t wanted = 0;
  for (int id = first_id; id < num_ids(); ++id) {
    Node* node = nodes_[id].get();
    if (node == nullptr) continue;
    ++wanted;
    for (const Edge* edge : node->in_)
      pending[id] += edge->src->id_ >= first_id && !IsBackEdge(*edge);
    if (pending[id] == 0) order.push_back(node);
  }
  for (size_t next = 0; next < order.size(); ++next) {
    for (const Edge* edge : order[next]->out_) {
      if (IsBackEdge(*edge) || edge->dst->id_ < first_id) continue;
      if (--pending[edge->dst->id_] == 0) order.push_back(edge->dst);
    }
  }
  if (static_cast<int64_t>(order.size()) == wanted) return order;

  // The remaining nodes wait for a cycle, or for a node after one. Walking backwards from any of
  // them ends on the cycle itself.
  int id = first_id;
  while (pending[id] == 0) ++id;
  const Node* node = nodes_[id].get();
  std::vector<bool> seen(nodes_.size(), false);
  while (!seen[node->id_]) {
    seen[node->id_] = true;
    for (const Edge* edge : node->in_) {
      if (edge->src->id_ < first_id || IsBackEdge(*edge) || pending[edge->src->id_] == 0) continue;
      node = edge->src;
      break;
    }
  }
  return InvalidArgument(node->Label(),
                         " is on a cycle; only NextIteration -> Merge may close one");
}

std::vector<std::unique_ptr<Graph>> Graph::Split(absl::Span<const int> part_of_id, int parts) && {
  std::vector<std::unique_ptr<Graph>> graphs;
  for (int i = 0; i < parts; ++i) {
    Graph& graph = *graphs.emplace_back(std::make_unique<Graph>(ops_));
    graph.producer_version = producer_version;
    graph.min_consumer = min_consumer;
    graph.bad_consumers = bad_consumers;
    graph.library = library;
  }
  // Each graph owns its edges, so edges are created again once all nodes have moved.
  struct Moved {
    Node* node;
    Graph* home;
    std::vector<Edge*> in;
  };
  std::vector<Moved> moved;
  moved.reserve(live_);
  for (size_t id = 0; id < nodes_.size(); ++id) {
    if (nodes_[id] == nullptr) continue;
    Node& node = *nodes_[id];
    Graph* home = graphs[part_of_id[id]].get();
    moved.push_back({&node, home, std::move(node.in_)});
    node.in_.clear();
    node.out_.clear();
    node.inputs_.clear();
    home->Adopt(std::move(nodes_[id]));
  }
  for (const Moved& m : moved) {
    for (const Edge* edge : m.in)
      m.home->AddEdge(edge->src, edge->src_output, m.node, edge->dst_input);
  }
  by_name_.clear();
  return graphs;
}

}  // namespace sluice::graph
