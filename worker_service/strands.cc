// SPDX-License-Identifier: Apache-2.0
#include "worker_service/strands.h"

#include <algorithm>

#include "absl/algorithm/container.h"

namespace sluice::worker {
namespace {

constexpr uint32_t kLongest = 16;     // a step reads the clock between strands
constexpr uint32_t kMostInputs = 32;  // of one node: StrandNode::clears has a bit for each
constexpr uint32_t kNobody = ~0u;

class StrandFinder {
 public:
  explicit StrandFinder(Executable& exec)
      : exec_(exec),
        into_(exec.nodes.size() + 1),
        in_edges_(exec.edges.size()),
        source_(exec.edges.size()),
        inner_(exec.edges.size()) {}

  void Find() {
    exec_.strands.assign(1, {});
    ListInEdges();
    const auto count = static_cast<uint32_t>(exec_.nodes.size());
    std::vector<uint32_t> next(count);
    std::vector<bool> follows(count);
    for (uint32_t i = 0; i < count; ++i) {
      next[i] = SoleReader(i);
      if (next[i] != kNobody) follows[next[i]] = true;
    }
    std::vector<bool> seen(count);
    for (uint32_t i = 0; i < count; ++i) {
      if (next[i] == kNobody || follows[i]) continue;
      // Follows the readers. Where one cannot join, the next strand may begin.
      for (uint32_t first = i; first != kNobody && !seen[first];) {
        std::vector<uint32_t> strand = {first};
        seen[first] = true;
        uint32_t node = next[first];
        while (node != kNobody && !seen[node] && strand.size() < kLongest &&
               Joins(node, strand.back(), first)) {
          strand.push_back(node);
          seen[node] = true;
          node = next[node];
        }
        if (strand.size() > 1) Add(strand);
        first = node;
      }
    }
    for (ExecNode& node : exec_.nodes) SetInnerEdgesAside(node);
  }

 private:
  void ListInEdges() {
    for (const ExecEdge& edge : exec_.edges) ++into_[edge.node + 1];
    for (size_t i = 1; i < into_.size(); ++i) into_[i] += into_[i - 1];
    std::vector<uint32_t> at(into_.begin(), into_.end() - 1);
    for (uint32_t i = 0; i < exec_.nodes.size(); ++i) {
      for (uint32_t e = exec_.nodes[i].first_edge; e < exec_.nodes[i].end_edge; ++e) {
        source_[e] = i;
        in_edges_[at[exec_.edges[e].node]++] = e;
      }
    }
  }

  absl::Span<const uint32_t> InEdges(uint32_t node) const {
    return absl::MakeSpan(in_edges_).subspan(into_[node], into_[node + 1] - into_[node]);
  }

  // Nodes that read or write state keep their turns in the list of ready nodes (ready_list.h).
  static bool Suits(const ExecNode& node) {
    return (node.kind == NodeKind::kCompute || node.kind == NodeKind::kForward) &&
           !node.asynchronous && !node.takes_refs && !node.changes_state &&
           node.num_inputs <= kMostInputs;
  }

  // The only reader of the only output of `i`, if both are suitable.
  uint32_t SoleReader(uint32_t i) const {
    const ExecNode& node = exec_.nodes[i];
    if (!Suits(node) || node.num_outputs != 1 || node.first_edge == node.end_edge) return kNobody;
    const uint32_t reader = exec_.edges[node.first_edge].node;
    for (uint32_t e = node.first_edge; e < node.end_edge; ++e) {
      const ExecEdge& edge = exec_.edges[e];
      if (edge.node != reader || edge.slot == ExecEdge::kNoSlot) return kNobody;
    }
    return Suits(exec_.nodes[reader]) && exec_.nodes[reader].frame == node.frame ? reader : kNobody;
  }

  // Whether `node`, which reads `before`, has no inputs that `first` does not have.
  bool Joins(uint32_t node, uint32_t before, uint32_t first) const {
    return absl::c_all_of(InEdges(node), [&](uint32_t e) {
      return source_[e] == before || SourceOf(e, first) != kNobody;
    });
  }

  // The index at which `first` reads the value of the edge `e`: its input, or any number for a
  // control edge from a node that `first` reads.
  uint32_t SourceOf(uint32_t e, uint32_t first) const {
    const bool control = exec_.edges[e].slot == ExecEdge::kNoSlot;
    for (const uint32_t own : InEdges(first)) {
      if (source_[own] != source_[e]) continue;
      if (control) return 0;
      const ExecEdge& edge = exec_.edges[own];
      if (edge.slot != ExecEdge::kNoSlot && edge.output == exec_.edges[e].output)
        return edge.slot - exec_.nodes[first].first_slot;
    }
    return kNobody;
  }

  // The content that each node of the strand needs in its inputs: a source, or kNobody for a
  // constant.
  std::vector<std::vector<uint32_t>> Sources(const std::vector<uint32_t>& strand) {
    const uint32_t first = strand.front();
    std::vector<std::vector<uint32_t>> sources;
    for (size_t k = 0; k < strand.size(); ++k) {
      const ExecNode& node = exec_.nodes[strand[k]];
      auto& inputs = sources.emplace_back(node.num_inputs, kNobody);
      if (k == 0) {
        for (uint32_t i = 0; i < node.num_inputs; ++i) inputs[i] = i;
        continue;
      }
      for (const uint32_t e : InEdges(strand[k])) {
        inner_[e] = true;
        if (exec_.edges[e].slot == ExecEdge::kNoSlot) continue;
        inputs[exec_.edges[e].slot - node.first_slot] =
            source_[e] == strand[k - 1] ? StrandTake::kFromBefore : SourceOf(e, first);
      }
    }
    return sources;
  }

  void Add(const std::vector<uint32_t>& strand) {
    const auto sources = Sources(strand);
    exec_.nodes[strand.front()].strand = static_cast<uint32_t>(exec_.strands.size());
    const auto first = static_cast<uint32_t>(exec_.strand_nodes.size());
    std::vector<uint32_t> held;  // contents of the strand's own inputs
    for (size_t k = 0; k < strand.size(); ++k) {
      const ExecNode& node = exec_.nodes[strand[k]];
      exec_.max_strand_inputs = std::max(exec_.max_strand_inputs, node.num_inputs);
      StrandNode& out = exec_.strand_nodes.emplace_back();
      out.node = strand[k];
      out.in_place = InPlace(sources, k, node);
      out.first_take = static_cast<uint32_t>(exec_.strand_takes.size());
      held.resize(std::max<size_t>(held.size(), node.num_inputs), kNobody);
      for (uint32_t i = 0; i < node.num_inputs; ++i) {
        const uint32_t source = sources[k][i];
        if (source == kNobody || (k == 0 && out.in_place)) continue;
        const bool kept = !out.in_place && held[i] == source;
        const bool last = !ReadAgain(sources, k, i) && !(k == 0 && IsPreset(node, i));
        exec_.strand_takes.push_back(
            {static_cast<uint16_t>(i), static_cast<uint16_t>(source), last, kept});
      }
      out.end_take = static_cast<uint32_t>(exec_.strand_takes.size());
      if (out.in_place) continue;
      for (uint32_t i = 0; i < node.num_inputs; ++i) {
        const bool stays = k + 1 < strand.size() && Stays(strand, sources, k, i);
        held[i] = stays ? sources[k][i] : kNobody;
        if (!stays) out.clears |= 1u << i;
      }
    }
    exec_.strands.push_back({first, static_cast<uint32_t>(exec_.strand_nodes.size())});
  }

  // Whether the k-th node runs in its own slots. It does if they hold constants. The first node
  // does if no other node reads its inputs.
  static bool InPlace(const std::vector<std::vector<uint32_t>>& sources, size_t k,
                      const ExecNode& node) {
    if (k > 0) return node.has_presets;
    return std::none_of(sources.begin() + 1, sources.end(), [](const auto& inputs) {
      return absl::c_any_of(inputs, [](uint32_t source) {
        return source != kNobody && source != StrandTake::kFromBefore;
      });
    });
  }

  // Whether the source of input `i` of the k-th node is read again: by a later input of the same
  // node, or, if it is an input of the first node, by a later node.
  static bool ReadAgain(const std::vector<std::vector<uint32_t>>& sources, size_t k, uint32_t i) {
    const uint32_t source = sources[k][i];
    if (std::count(sources[k].begin() + i + 1, sources[k].end(), source) > 0) return true;
    if (source == StrandTake::kFromBefore) return false;
    return std::any_of(sources.begin() + static_cast<ptrdiff_t>(k) + 1, sources.end(),
                       [&](const auto& inputs) { return absl::c_linear_search(inputs, source); });
  }

  // Whether the next node that uses the strand's inputs needs the same content there.
  bool Stays(const std::vector<uint32_t>& strand, const std::vector<std::vector<uint32_t>>& sources,
             size_t k, uint32_t i) const {
    if (sources[k][i] == StrandTake::kFromBefore) return false;
    for (size_t next = k + 1; next < strand.size(); ++next) {
      if (InPlace(sources, next, exec_.nodes[strand[next]])) continue;
      return i < sources[next].size() && sources[next][i] == sources[k][i];
    }
    return false;
  }

  bool IsPreset(const ExecNode& node, uint32_t input) const {
    return exec_.frames[node.frame].preset_of[node.first_slot + input] != FrameInfo::kNoPreset;
  }

  void SetInnerEdgesAside(ExecNode& node) {
    std::vector<ExecEdge> kept, inner;
    for (uint32_t e = node.first_edge; e < node.end_edge; ++e)
      (inner_[e] ? inner : kept).push_back(exec_.edges[e]);
    if (inner.empty()) return;
    for (size_t k = 0; k < kept.size(); ++k)
      kept[k].last = k + 1 == kept.size() || kept[k + 1].output != kept[k].output;
    std::copy(inner.begin(), inner.end(),
              std::copy(kept.begin(), kept.end(), exec_.edges.begin() + node.first_edge));
    node.end_edge = node.first_edge + static_cast<uint32_t>(kept.size());
  }

  Executable& exec_;
  std::vector<uint32_t> into_, in_edges_;  // edges by target; node i's from into_[i]
  std::vector<uint32_t> source_;           // the source node of each edge
  std::vector<bool> inner_;                // edges inside a strand
};

}  // namespace

void FindStrands(Executable& executable) { StrandFinder(executable).Find(); }

}  // namespace sluice::worker
