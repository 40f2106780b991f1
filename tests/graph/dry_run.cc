// SPDX-License-Identifier: Apache-2.0
#include "tests/graph/dry_run.h"

#include <deque>
#include <memory>
#include <set>

#include "absl/hash/hash.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace sluice::graph {
namespace {

struct Token {
  bool dead = false;
  uint64_t value = 0;
};

struct FrameRun;

// The scope in which a node runs: an iteration of a frame of one graph.
struct Place {
  FrameRun* frame = nullptr;
  int iteration = 0;
};

struct Pending {
  int arrived = 0;
  int dead = 0;
  bool ran = false;
  std::map<int, Token> inputs;
};

struct FrameRun {
  int graph = 0;
  Place parent;
  std::string name;  // unique in its graph's run, and the same in other graphs
  std::vector<std::map<const Node*, Pending>> iterations;
  std::vector<std::pair<const Node*, Token>> constants;
  std::set<const Node*> dead_exits, live_exits;
};

class Simulation {
 public:
  Simulation(const std::vector<const Graph*>& graphs, int trips) : graphs_(graphs), trips_(trips) {}

  DryRun Run() {
    for (size_t g = 0; g < graphs_.size(); ++g) {
      FrameRun& root = *frames_.emplace_back(std::make_unique<FrameRun>());
      root.graph = static_cast<int>(g);
      root.iterations.resize(1);
      for (const Node* node : graphs_[g]->nodes()) {
        if (node->in_edges().empty()) ready_.push_back({node, {&root, 0}});
      }
    }
    do {
      while (!ready_.empty()) {
        auto [node, place] = ready_.front();
        ready_.pop_front();
        Step(*node, place);
      }
    } while (ReleaseDeadExits());
    for (const auto& [key, waiting] : waiting_)
      result_.problems.push_back(absl::StrCat("nothing sent for ", key));
    for (const auto& [key, token] : sent_)
      result_.problems.push_back(absl::StrCat("nobody received ", key));
    return std::move(result_);
  }

 private:
  void Step(const Node& node, Place place) {
    Pending& pending = place.frame->iterations[place.iteration][&node];
    if (node.op() == "_Recv") {
      const std::string key = Key(node, place);
      auto it = sent_.find(key);
      if (it == sent_.end()) {
        waiting_.emplace(key, std::pair(&node, place));
      } else {
        Emit(node, place, {it->second});
        sent_.erase(it);
      }
      return;
    }
    const bool dead = node.flow() == Flow::kMerge ? AllDead(pending) : pending.dead > 0;
    if (node.op() == "_Send") {
      Token token = pending.inputs[0];
      token.dead = dead;
      Deliver(Key(node, place), token);
      return;
    }
    if (!dead) ++result_.runs[node.name()];
    if (node.op() == "_Retval") {
      result_.fetched[node.name()] = dead ? std::nullopt : std::optional(pending.inputs[0].value);
    }
    Emit(node, place, Outputs(node, place, pending, dead));
  }

  void Deliver(const std::string& key, Token token) {
    auto it = waiting_.find(key);
    if (it == waiting_.end()) {
      if (!sent_.emplace(key, token).second)
        result_.problems.push_back(absl::StrCat("sent twice: ", key));
      return;
    }
    auto [recv, at] = it->second;
    waiting_.erase(it);
    Emit(*recv, at, {token});
  }

  static bool AllDead(const Pending& pending) {
    for (const auto& [i, token] : pending.inputs) {
      if (!token.dead) return false;
    }
    return true;
  }

  std::vector<Token> Outputs(const Node& node, Place place, const Pending& pending, bool dead) {
    std::vector<Token> outputs(std::max(1, node.num_outputs()), Token{dead, 0});
    auto input = [&](int i) { return pending.inputs.contains(i) ? pending.inputs.at(i).value : 0; };
    switch (node.flow()) {
      case Flow::kSwitch:
        outputs[0].value = outputs[1].value = input(0);
        outputs[input(1) % 2 == 0 ? 1 : 0].dead = true;
        break;
      case Flow::kMerge:
        for (const auto& [i, token] : pending.inputs) {
          if (!token.dead) outputs[0].value = token.value;
        }
        break;
      case Flow::kLoopCond:
        outputs[0].value = place.iteration < trips_;
        break;
      case Flow::kNone: {
        uint64_t value = absl::HashOf(node.name());
        for (const auto& [i, token] : pending.inputs) value = value * 1000003 + token.value;
        outputs[0].value = node.op() == "Identity" ? input(0) : value;
        break;
      }
      default:
        outputs[0].value = input(0);
    }
    return outputs;
  }

  void Emit(const Node& node, Place place, const std::vector<Token>& outputs) {
    switch (node.flow()) {
      case Flow::kEnter: {
        FrameRun* child = Child(node, place);
        if (std::get<bool>(node.attrs.at("is_constant").value)) {
          child->constants.emplace_back(&node, outputs[0]);
          for (size_t i = 0; i < child->iterations.size(); ++i)
            Propagate(node, {child, static_cast<int>(i)}, outputs);
        } else {
          Propagate(node, {child, 0}, outputs);
        }
        break;
      }
      case Flow::kExit:
        if (outputs[0].dead) {
          place.frame->dead_exits.insert(&node);
        } else {
          place.frame->live_exits.insert(&node);
          Propagate(node, place.frame->parent, outputs);
        }
        break;
      case Flow::kNextIteration:
        if (outputs[0].dead) break;
        if (static_cast<int>(place.frame->iterations.size()) == place.iteration + 1) {
          place.frame->iterations.emplace_back();
          for (const auto& [enter, token] : place.frame->constants)
            Propagate(*enter, {place.frame, place.iteration + 1}, {token});
        }
        Propagate(node, {place.frame, place.iteration + 1}, outputs);
        break;
      default:
        Propagate(node, place, outputs);
    }
  }

  FrameRun* Child(const Node& enter, Place place) {
    const std::string name =
        absl::StrCat(place.frame->name, "/", place.iteration, ":",
                     std::get<std::string>(enter.attrs.at("frame_name").value));
    for (const auto& frame : frames_) {
      if (frame->graph == place.frame->graph && frame->name == name) return frame.get();
    }
    FrameRun& child = *frames_.emplace_back(std::make_unique<FrameRun>());
    child.graph = place.frame->graph;
    child.parent = place;
    child.name = name;
    child.iterations.resize(1);
    return &child;
  }

  void Propagate(const Node& node, Place place, const std::vector<Token>& outputs) {
    for (const Edge* edge : node.out_edges()) {
      // A dead node sends dead control signals; a live Switch sends live ones.
      bool all_dead = true;
      for (const Token& output : outputs) all_dead = all_dead && output.dead;
      Token token = edge->control() ? Token{all_dead, 0} : outputs[edge->src_output];
      Arrive(*edge, place, token);
    }
  }

  void Arrive(const Edge& edge, Place place, Token token) {
    const Node& node = *edge.dst;
    Pending& pending = place.frame->iterations[place.iteration][&node];
    ++pending.arrived;
    if (!edge.control()) pending.inputs[edge.dst_input] = token;
    if (token.dead) ++pending.dead;
    if (pending.ran) return;
    if (node.flow() == Flow::kMerge) {
      int data = 0, forward = 0, controls = 0, dead = 0;
      for (const Edge* in : node.in_edges()) {
        if (in->control()) {
          ++controls;
        } else {
          ++data;
          forward += !IsBackEdge(*in);
        }
      }
      for (const auto& [i, t] : pending.inputs) dead += t.dead;
      const bool live = dead < static_cast<int>(pending.inputs.size());
      const int controls_arrived = pending.arrived - static_cast<int>(pending.inputs.size());
      if (controls_arrived < controls || (!live && dead < forward)) return;
      if (pending.inputs.empty()) return;
    } else if (pending.arrived < static_cast<int>(node.in_edges().size())) {
      return;
    }
    pending.ran = true;
    ready_.push_back({&node, place});
  }

  // A dead Exit counts only when nothing else can run: innermost frames first.
  bool ReleaseDeadExits() {
    for (auto it = frames_.rbegin(); it != frames_.rend(); ++it) {
      FrameRun& frame = **it;
      for (const Node* exit : frame.dead_exits) {
        if (frame.live_exits.contains(exit)) continue;
        frame.live_exits.insert(exit);
        Propagate(*exit, frame.parent, {Token{true, 0}});
        return true;
      }
    }
    return false;
  }

  static std::string Key(const Node& node, Place place) {
    return absl::StrCat("edge ", std::get<int64_t>(node.attrs.at("_edge").value), " in ",
                        place.frame->name, "/", place.iteration, " (",
                        std::get<std::string>(node.attrs.at("tensor_name").value), ")");
  }

  const std::vector<const Graph*>& graphs_;
  const int trips_;
  DryRun result_;
  std::vector<std::unique_ptr<FrameRun>> frames_;
  std::deque<std::pair<const Node*, Place>> ready_;
  std::map<std::string, Token> sent_;
  std::map<std::string, std::pair<const Node*, Place>> waiting_;
};

}  // namespace

DryRun Run(const std::vector<const Graph*>& graphs, int trips) {
  return Simulation(graphs, trips).Run();
}

}  // namespace sluice::graph
