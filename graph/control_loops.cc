// SPDX-License-Identifier: Apache-2.0
#include "graph/control_loops.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace sluice::graph {

absl::StatusOr<Located> Located::Of(Graph& graph) {
  Located located{.graph = graph, .devices = {}, .device_of = {}, .frames = {}};
  located.device_of.resize(graph.num_ids(), -1);
  absl::flat_hash_map<absl::string_view, int> numbers;
  bool loops = false;
  for (const Node* node : graph.nodes()) {
    if (node->device.empty()) return InvalidArgument(node->Label(), " has no device");
    auto [it, added] = numbers.try_emplace(node->device, static_cast<int>(located.devices.size()));
    if (added) located.devices.push_back(node->device);
    located.device_of[node->id()] = it->second;
    loops = loops || node->flow() == Flow::kEnter || node->flow() == Flow::kExit ||
            node->flow() == Flow::kNextIteration;
  }
  if (loops) {
    SLUICE_ASSIGN(located.frames, AnalyzeFrames(graph));
  } else {
    located.frames.frames.resize(1);
    located.frames.input.resize(graph.num_ids(), 0);
    located.frames.output.resize(graph.num_ids(), 0);
  }
  return located;
}

absl::StatusOr<Node*> Located::Add(const char* op, const std::string& name, AttrMap attrs,
                                   int device, int frame) {
  SLUICE_ASSIGN(Node * node, graph.AddNode(graph.UniqueName(name), op, std::move(attrs)));
  node->device = devices[device];
  device_of.push_back(device);
  frames.input.push_back(frame);
  frames.output.push_back(frame);
  return node;
}

absl::StatusOr<Node*> Located::AddEmptyFloat(const std::string& name, const Node& beside) {
  AttrMap attrs;
  attrs["dtype"] = kFloat;
  attrs["value"] = Tensor(kFloat, Shape{0});
  return Add("Const", name, std::move(attrs), device_of[beside.id()], frames.output[beside.id()]);
}

namespace {

void Move(Located& located, Node* node, int device) {
  located.device_of[node->id()] = device;
  node->device = located.devices[device];
}

// Moves an Enter or NextIteration to its consumers.
absl::Status MoveToConsumers(Located& located, Node* node) {
  const std::vector<Edge*> out(node->out_edges());
  auto data =
      std::find_if(out.begin(), out.end(), [](const Edge* edge) { return !edge->control(); });
  if (data != out.end()) Move(located, node, located.device_of[(*data)->dst->id()]);
  absl::flat_hash_map<int, Node*> copies;  // by device
  for (Edge* edge : out) {
    if (!located.Crosses(*edge)) continue;
    Node*& copy = copies[located.device_of[edge->dst->id()]];
    if (copy == nullptr) {
      SLUICE_ASSIGN(
          copy, located.Add(node->op().c_str(), node->name(), node->attrs,
                            located.device_of[edge->dst->id()], located.frames.input[node->id()]));
      located.frames.output[copy->id()] = located.frames.output[node->id()];
      for (const Edge* in : std::vector<Edge*>(node->in_edges())) {
        located.graph.AddEdge(in->src, in->src_output, copy, in->dst_input);
      }
    }
    const Edge old = *edge;
    located.graph.RemoveEdge(edge);
    located.graph.AddEdge(copy, old.src_output, old.dst, old.dst_input);
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status MoveLoopNodes(Located& located) {
  SLUICE_ASSIGN(std::vector<Node*> order, located.graph.TopologicalOrder());
  for (Node* node : order) {
    if (node->flow() != Flow::kSwitch && node->flow() != Flow::kExit) continue;
    if (const Edge* data = node->input(0)) Move(located, node, located.device_of[data->src->id()]);
  }
  // Consumers first, so that an Enter before an Enter follows it to its destination. Consumers of a
  // reference stay: placing has put them beside the variable.
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    Node* node = *it;
    if (node->flow() != Flow::kEnter && node->flow() != Flow::kNextIteration) continue;
    if (node->num_outputs() == 1 && !IsRef(node->output_types[0]))
      SLUICE_RETURN_IF_ERROR(MoveToConsumers(located, node));
  }
  return absl::OkStatus();
}

void ControlLoops::Gate(int frame, Located& located, Node* recv) const {
  located.graph.AddControlEdge(merges_.at({frame, located.device_of[recv->id()]}), recv);
}

class LoopBuilder {
 public:
  explicit LoopBuilder(Located& located) : located_(located), graph_(located.graph) {}

  absl::StatusOr<ControlLoops> Build(const std::vector<std::pair<Node*, int>>& recvs) {
    std::vector<Place> needed = Needed();
    for (const auto& [recv, frame] : recvs)
      needed.emplace_back(frame, located_.device_of[recv->id()]);
    std::sort(needed.begin(), needed.end());
    needed.erase(std::unique(needed.begin(), needed.end()), needed.end());
    for (const auto& [frame, device] : needed)
      SLUICE_RETURN_IF_ERROR(AddWithParents(frame, device));
    return std::move(loops_);
  }

 private:
  using Place = std::pair<int, int>;  // frame, device

  // The places where an edge inside a frame arrives from another device, and the places where a
  // frame has nodes but no counter of its iterations.
  std::vector<Place> Needed() const {
    std::vector<Place> needed;
    if (located_.frames.frames.size() == 1) return needed;
    const std::vector<Node*> nodes = graph_.nodes();
    absl::flat_hash_map<Place, bool> counts;
    for (const Node* node : nodes) {
      const int device = located_.device_of[node->id()];
      const int frame = located_.frames.input[node->id()];
      if (frame == 0) continue;
      bool crosses = false, back = false;
      for (const Edge* edge : node->in_edges()) {
        crosses = crosses || located_.Crosses(*edge);
        back = back || IsBackEdge(*edge);
      }
      if (crosses) needed.emplace_back(frame, device);
      const Node* cond = located_.frames.frames[frame].loop_cond;
      bool& counted = counts[{frame, device}];
      counted = counted || cond == nullptr || (back && located_.device_of[cond->id()] == device);
    }
    std::vector<bool> spans(located_.frames.frames.size(), false);
    for (const auto& [place, counted] : counts) {
      const Node* cond = located_.frames.frames[place.first].loop_cond;
      if (cond != nullptr && located_.device_of[cond->id()] != place.second)
        spans[place.first] = true;
    }
    for (const auto& [place, counted] : counts) {
      if (!counted && spans[place.first]) needed.push_back(place);
    }
    return needed;
  }

  absl::Status AddWithParents(int frame, int device) {
    std::vector<int> chain;  // innermost first
    for (int f = frame; f != 0 && !loops_.merges_.contains({f, device});
         f = located_.frames.frames[f].parent) {
      chain.push_back(f);
    }
    for (auto f = chain.rbegin(); f != chain.rend(); ++f)
      SLUICE_RETURN_IF_ERROR(AddLoop(*f, device));
    return absl::OkStatus();
  }

  absl::Status AddLoop(int frame, int device) {
    const LoopFrame& f = located_.frames.frames[frame];
    if (f.loop_cond == nullptr) {
      return InvalidArgument("while loop \"", f.name,
                             "\" has nodes on several devices, one of them ",
                             located_.devices[device], ", but no LoopCond");
    }
    const std::string name = absl::StrCat("_cloop", loops_.merges_.size());
    SLUICE_ASSIGN(Node * before, Before(f.parent, device));
    SLUICE_ASSIGN(Node * enter, located_.Add("Enter", name + "/Enter",
                                             {{"T", kFloat},
                                              {"frame_name", f.name},
                                              {"is_constant", false},
                                              {"parallel_iterations", f.parallel_iterations}},
                                             device, f.parent));
    located_.frames.output[enter->id()] = frame;
    SLUICE_ASSIGN(Node * merge,
                  located_.Add("Merge", name + "/Merge", {{"T", kFloat}, {"N", 2}}, device, frame));
    SLUICE_ASSIGN(Node * split,
                  located_.Add("Switch", name + "/Switch", {{"T", kFloat}}, device, frame));
    SLUICE_ASSIGN(Node * next, located_.Add("NextIteration", name + "/NextIteration",
                                            {{"T", kFloat}}, device, frame));
    graph_.AddEdge(before, 0, enter, 0);
    graph_.AddEdge(enter, 0, merge, 0);
    graph_.AddEdge(next, 0, merge, 1);
    graph_.AddEdge(merge, 0, split, 0);
    graph_.AddEdge(f.loop_cond, 0, split, 1);
    graph_.AddEdge(split, 1, next, 0);
    loops_.merges_[{frame, device}] = merge;
    return absl::OkStatus();
  }

  // The value with which a loop on this device is entered: that of the loop of the outer frame, or
  // at the root a constant.
  absl::StatusOr<Node*> Before(int parent, int device) {
    if (parent != 0) return loops_.merges_.at({parent, device});
    Node*& start = starts_[device];
    if (start == nullptr) {
      AttrMap attrs;
      attrs["dtype"] = kFloat;
      attrs["value"] = Tensor(kFloat, Shape{0});
      SLUICE_ASSIGN(start, located_.Add("Const", "_cloop_start", std::move(attrs), device, 0));
    }
    return start;
  }

  Located& located_;
  Graph& graph_;
  ControlLoops loops_;
  absl::flat_hash_map<int, Node*> starts_;  // by device
};

absl::StatusOr<ControlLoops> AddControlLoops(Located& located,
                                             const std::vector<std::pair<Node*, int>>& recvs) {
  return LoopBuilder(located).Build(recvs);
}

}  // namespace sluice::graph
