// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/fuse_reductions.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "graph/passes/move_readers.h"
#include "graph/shape_inference.h"

namespace sluice::graph {
namespace {

constexpr int64_t kMostBytes = 32 << 20;

struct Part {
  Node* node;
  Shape shape;
  int64_t instance_key;
};

// Nodes that may be dead in a step, by id: those in loops and branches, and those after a value
// from another device.
absl::StatusOr<std::vector<bool>> MayBeDead(const Graph& graph) {
  std::vector<bool> dead(static_cast<size_t>(graph.num_ids()));
  SLUICE_ASSIGN(const std::vector<Node*> order, graph.TopologicalOrder());
  for (const Node* node : order) {
    const bool begins = node->flow() != Flow::kNone || node->kind() == OpKind::kRecv;
    dead[static_cast<size_t>(node->id())] =
        begins || absl::c_any_of(node->in_edges(), [&](const Edge* edge) {
          return dead[static_cast<size_t>(edge->src->id())];
        });
  }
  return dead;
}

bool OnCpu(const Node& node) {
  const auto device = DeviceName::Parse(node.device);
  return device.ok() && device->type == "CPU";
}

// The parts of one reduction have equal texts.
std::string KindOf(const Node& node) {
  std::string kind = absl::StrCat(node.op(), " ", node.device);
  for (const auto& [name, value] : node.attrs) {
    if (name == "instance_key" || name == "subdiv_offsets" || name == "wait_for" || name[0] == '_')
      continue;
    absl::StrAppend(&kind, " ", name, "=", value.ToString());
  }
  return kind;
}

// Marks the nodes that are reached from `from`.
void MarkReached(const Node& from, std::vector<bool>& reached) {
  std::vector<const Node*> open = {&from};
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    for (const Edge* edge : node->out_edges()) {
      const auto id = static_cast<size_t>(edge->dst->id());
      if (reached[id]) continue;
      reached[id] = true;
      open.push_back(edge->dst);
    }
  }
}

class Fusion {
 public:
  Fusion(const std::vector<Part>& parts, Graph& graph)
      : parts_(parts), first_(*parts.front().node), graph_(graph) {}

  absl::Status Run() {
    SLUICE_ASSIGN(Node* const whole, Joined());
    SLUICE_ASSIGN(Node* const split, Split(*whole));
    for (size_t i = 0; i < parts_.size(); ++i) {
      Node* const part = parts_[i].node;
      std::vector<int64_t> dims(parts_[i].shape.dims().begin(), parts_[i].shape.dims().end());
      SLUICE_ASSIGN(Node* const result,
                    Reshaped(*split, static_cast<int>(i), std::move(dims), "result"));
      MoveEdges(*part, *whole, *result);
    }
    for (const Part& part : parts_) graph_.RemoveNode(part.node);
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<Node*> Add(absl::string_view suffix, std::string op, AttrMap attrs) {
    const std::string name = graph_.UniqueName(absl::StrCat(first_.name(), "/fused/", suffix));
    SLUICE_ASSIGN(Node * added, graph_.AddNode(name, std::move(op), std::move(attrs)));
    added->device = first_.device;
    return added;
  }
  absl::StatusOr<Node*> Const(Tensor value) {
    const DType dtype = value.dtype();
    return Add("constant", "Const", {{"dtype", dtype}, {"value", std::move(value)}});
  }
  absl::StatusOr<Node*> Reshaped(Node& from, int output, std::vector<int64_t> dims,
                                 absl::string_view suffix) {
    SLUICE_ASSIGN(Node* const shape, Const(Tensor::Vector<int64_t>(dims)));
    SLUICE_ASSIGN(
        Node* const reshaped,
        Add(suffix, "Reshape", {{"T", RemoveRef(from.output_types[output])}, {"Tshape", kInt64}}));
    graph_.AddEdge(&from, output, reshaped, 0);
    graph_.AddEdge(shape, 0, reshaped, 1);
    return reshaped;
  }

  // The reduction of all parts, one after the other.
  absl::StatusOr<Node*> Joined() {
    const auto count = static_cast<int64_t>(parts_.size());
    SLUICE_ASSIGN(Node* const axis, Const(Tensor::Scalar<int32_t>(0)));
    SLUICE_ASSIGN(Node* const joined,
                  Add("joined", "ConcatV2", {{"N", count}, {"T", dtype()}, {"Tidx", kInt32}}));
    std::string layout = "joined";
    for (size_t i = 0; i < parts_.size(); ++i) {
      const Part& part = parts_[i];
      const Edge& input = *part.node->input(0);
      SLUICE_ASSIGN(Node* const flat,
                    Reshaped(*input.src, input.src_output, {part.shape.num_elements()}, "flat"));
      graph_.AddEdge(flat, 0, joined, static_cast<int>(i));
      absl::StrAppend(&layout, " ", part.instance_key, ":",
                      GetAttrOr(part.node->attrs, "_collective_name", std::string()), ":",
                      part.shape.num_elements());
    }
    graph_.AddEdge(axis, 0, joined, static_cast<int>(parts_.size()));
    AttrMap attrs = first_.attrs;
    attrs["_collective_name"] = layout;
    SLUICE_ASSIGN(Node* const whole, Add("reduced", first_.op(), std::move(attrs)));
    graph_.AddEdge(joined, 0, whole, 0);
    return whole;
  }

  absl::StatusOr<Node*> Split(Node& whole) {
    std::vector<int64_t> sizes;
    for (const Part& part : parts_) sizes.push_back(part.shape.num_elements());
    const auto count = static_cast<int64_t>(sizes.size());
    SLUICE_ASSIGN(Node* const lengths, Const(Tensor::Vector<int64_t>(sizes)));
    SLUICE_ASSIGN(Node* const axis, Const(Tensor::Scalar<int32_t>(0)));
    SLUICE_ASSIGN(Node* const split,
                  Add("split", "SplitV", {{"num_split", count}, {"T", dtype()}, {"Tlen", kInt64}}));
    graph_.AddEdge(&whole, 0, split, 0);
    graph_.AddEdge(lengths, 0, split, 1);
    graph_.AddEdge(axis, 0, split, 2);
    return split;
  }

  void MoveEdges(Node& part, Node& whole, Node& result) {
    const std::vector<Edge*> in = part.in_edges();
    for (Edge* edge : in) {
      if (edge->control()) graph_.AddControlEdge(edge->src, &whole);
    }
    MoveReaders(graph_, part, result);
  }

  DType dtype() const { return first_.output_types[0]; }

  const std::vector<Part>& parts_;
  Node& first_;  // has the smallest instance key
  Graph& graph_;
};

// The parts of the next reduction, by instance key: the first, and all that fit and do not depend
// on one another. Removes them from `waiting`.
std::vector<Part> TakeIndependent(const Graph& graph, std::vector<Part>& waiting) {
  std::vector<Part> taken, left;
  std::vector<bool> after(static_cast<size_t>(graph.num_ids()));  // reached from a taken one
  int64_t bytes = 0;
  for (Part& part : waiting) {
    const auto size =
        part.shape.num_elements() * static_cast<int64_t>(SizeOf(part.node->output_types[0]));
    std::vector<bool> reached(after.size());
    MarkReached(*part.node, reached);
    const bool depends = after[static_cast<size_t>(part.node->id())] ||
                         absl::c_any_of(taken, [&](const Part& other) {
                           return reached[static_cast<size_t>(other.node->id())] ||
                                  other.instance_key == part.instance_key;
                         });
    if (depends || bytes + size > kMostBytes) {
      left.push_back(std::move(part));
      continue;
    }
    bytes += size;
    MarkReached(*part.node, after);
    taken.push_back(std::move(part));
  }
  if (taken.empty()) {  // the first one alone is too large
    taken.push_back(std::move(left.front()));
    left.erase(left.begin());
  }
  waiting = std::move(left);
  return taken;
}

}  // namespace

absl::Status FuseReductions(Graph& graph, const PassContext& context) {
  const std::vector<Node*> nodes = graph.nodes();
  // The order that wait_for requires is kept if neither operation is joined.
  std::set<int64_t> waited_for;
  for (const Node* node : nodes) {
    for (const int64_t key : GetAttrOr(node->attrs, "wait_for", std::vector<int64_t>()))
      waited_for.insert(key);
  }
  const auto is_fused = [&](const Node* node) {
    return absl::c_linear_search(context.fused_ops, node->op()) && OnCpu(*node) &&
           node->attrs.contains("merge_op") && node->attrs.contains("instance_key") &&
           GetAttrOr(node->attrs, "wait_for", std::vector<int64_t>()).empty() &&
           !waited_for.contains(GetAttrOr<int64_t>(node->attrs, "instance_key", 0));
  };
  if (absl::c_count_if(nodes, is_fused) < 2) return absl::OkStatus();
  SLUICE_ASSIGN(const std::vector<bool> dead, MayBeDead(graph));
  const absl::StatusOr<GraphShapes> shapes = InferShapes(graph);
  if (!shapes.ok()) return absl::OkStatus();  // the kernels report the error
  std::map<std::string, std::vector<Part>> by_kind;
  for (Node* node : nodes) {
    if (!is_fused(node) || dead[static_cast<size_t>(node->id())]) continue;
    const auto shape = (*shapes)[static_cast<size_t>(node->id())][0].ToShape();
    const auto key = GetAttr<int64_t>(node->attrs, "instance_key");
    if (shape.ok() && key.ok()) by_kind[KindOf(*node)].push_back({node, *shape, *key});
  }
  for (auto& [kind, waiting] : by_kind) {
    absl::c_stable_sort(
        waiting, [](const Part& a, const Part& b) { return a.instance_key < b.instance_key; });
    while (waiting.size() > 1) {
      const std::vector<Part> parts = TakeIndependent(graph, waiting);
      if (parts.size() < 2) continue;
      SLUICE_RETURN_IF_ERROR(Fusion(parts, graph).Run());
    }
  }
  return absl::OkStatus();
}

}  // namespace sluice::graph
