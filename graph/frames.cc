// SPDX-License-Identifier: Apache-2.0
#include "graph/frames.h"

#include <utility>

#include "absl/container/flat_hash_map.h"

namespace sluice::graph {
namespace {

class Analysis {
 public:
  Analysis(const Graph& graph, FrameRules rules) : graph_(graph), rules_(rules) {
    found_.frames.resize(1);
    found_.input.resize(graph.num_ids(), 0);
    found_.output.resize(graph.num_ids(), 0);
  }

  absl::StatusOr<Frames> Run() {
    SLUICE_ASSIGN(std::vector<Node*> order, graph_.TopologicalOrder());
    for (Node* node : order) {
      SLUICE_RETURN_IF_ERROR(FindInputFrame(*node));
      SLUICE_RETURN_IF_ERROR(FindOutputFrame(*node));
    }
    if (rules_ == FrameRules::kWhole) {
      for (const Node* node : order) SLUICE_RETURN_IF_ERROR(CheckBackEdges(*node));
    }
    return std::move(found_);
  }

 private:
  absl::Status FindInputFrame(const Node& node) {
    const Edge* first = nullptr;
    int& frame = found_.input[node.id()];
    for (const Edge* edge : node.in_edges()) {
      if (IsBackEdge(*edge)) continue;
      const int from = found_.output[edge->src->id()];
      if (first == nullptr) {
        first = edge;
        frame = from;
      } else if (from != frame) {
        if (rules_ == FrameRules::kWhole) return Differ(node, *first, *edge);
        if (frame == 0) frame = from;
      }
    }
    return absl::OkStatus();
  }

  absl::Status FindOutputFrame(Node& node) {
    const int in = found_.input[node.id()];
    int& out = found_.output[node.id()];
    out = in;
    switch (node.flow()) {
      case Flow::kEnter: {
        SLUICE_ASSIGN(out, ChildFrame(node, in));
        break;
      }
      case Flow::kExit:
        if (in == 0)
          return InvalidArgument(node.Label(), " is not inside a while loop: no Enter leads to it");
        out = found_.frames[in].parent;
        break;
      case Flow::kNextIteration:
        if (in == 0)
          return InvalidArgument(node.Label(), " is not inside a while loop: no Enter leads to it");
        break;
      case Flow::kLoopCond:
        if (in != 0) found_.frames[in].loop_cond = &node;
        break;
      default:
        break;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<int> ChildFrame(const Node& enter, int parent) {
    auto name = GetAttr<std::string>(enter.attrs, "frame_name");
    if (!name.ok()) return Annotate(name.status(), enter.Label());
    auto [it, added] =
        by_name_.try_emplace({parent, *name}, static_cast<int>(found_.frames.size()));
    if (added) {
      found_.frames.push_back(
          {.parent = parent,
           .name = *std::move(name),
           .parallel_iterations = GetAttrOr<int64_t>(enter.attrs, "parallel_iterations", 10)});
    }
    return it->second;
  }

  absl::Status CheckBackEdges(const Node& merge) {
    if (merge.flow() != Flow::kMerge) return absl::OkStatus();
    for (const Edge* edge : merge.in_edges()) {
      if (IsBackEdge(*edge) && found_.output[edge->src->id()] != found_.input[merge.id()]) {
        return InvalidArgument(merge.Label(), " is fed by ", edge->src->Label(),
                               " of another while loop");
      }
    }
    return absl::OkStatus();
  }

  // TensorFlow's words, which programs search for. The frame outside all loops has no name.
  std::string InFrame(const Node& node) const {
    return Cat("The input {{node ", node.name(), "}} is in frame '",
               found_.frames[found_.output[node.id()]].name, "'.");
  }

  absl::Status Differ(const Node& node, const Edge& a, const Edge& b) const {
    return InvalidArgument("{{node ", node.name(), "}} has inputs from different frames. ",
                           InFrame(*b.src), " ", InFrame(*a.src));
  }

  const Graph& graph_;
  const FrameRules rules_;
  Frames found_;
  absl::flat_hash_map<std::pair<int, std::string>, int> by_name_;
};

}  // namespace

absl::StatusOr<Frames> AnalyzeFrames(const Graph& graph, FrameRules rules) {
  return Analysis(graph, rules).Run();
}

}  // namespace sluice::graph
