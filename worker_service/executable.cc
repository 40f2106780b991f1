// SPDX-License-Identifier: Apache-2.0
#include "worker_service/executable.h"

#include <algorithm>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/op/producer_version.h"
#include "core/stable_hash.h"
#include "core/tensor/allocation_label.h"
#include "core/tensor/memory_budget.h"
#include "graph/frames.h"
#include "worker_service/executor.h"
#include "worker_service/strands.h"

namespace sluice::worker {
namespace {

using graph::Edge;
using graph::Node;

NodeKind KindOf(const Node& node) {
  switch (node.kind()) {
    case OpKind::kNoOp:
      return NodeKind::kNoOp;
    case OpKind::kControlTrigger:
      return NodeKind::kControlTrigger;
    case OpKind::kIdentity:
    case OpKind::kForward:
    case OpKind::kLoopCond:
      return NodeKind::kForward;
    case OpKind::kSwitch:
      return NodeKind::kSwitch;
    case OpKind::kMerge:
      return NodeKind::kMerge;
    case OpKind::kEnter:
      return NodeKind::kEnter;
    case OpKind::kExit:
      return NodeKind::kExit;
    case OpKind::kNextIteration:
      return NodeKind::kNextIteration;
    case OpKind::kSend:
    case OpKind::kRecv:
    case OpKind::kRetval:
      return NodeKind::kTransfer;
    default:
      return NodeKind::kCompute;
  }
}

bool NeedsKernel(NodeKind kind) {
  return kind == NodeKind::kCompute || kind == NodeKind::kTransfer;
}

bool AdvancesRandomStream(const Node& node) {
  return node.op_def() != nullptr && node.op_def()->random;
}

bool HandsOver(OpKind kind) { return kind == OpKind::kSend || kind == OpKind::kRetval; }

// The debugger's nodes may read variables without a value, if no other op reads from them.
bool IsForDebugger(const Node& node) {
  if (node.kind() == OpKind::kDebugProbe) return true;
  if (node.kind() != OpKind::kDebugCopy) return false;
  return std::all_of(node.out_edges().begin(), node.out_edges().end(),
                     [](const Edge* edge) { return edge->control() || IsForDebugger(*edge->dst); });
}

NodeSpec SpecOf(const Node& node, int64_t producer_version) {
  NodeSpec spec;
  spec.name = node.name();
  spec.op = node.op();
  spec.device = node.device;
  spec.op_def = node.op_def();
  spec.attrs = node.attrs;
  if (node.op_def()->dataset || node.op_def()->follows_1x)
    spec.attrs.insert_or_assign(kProducerVersionAttr, producer_version);
  spec.input_types = node.input_types;
  spec.output_types = node.output_types;
  spec.inputs.resize(node.input_types.size());
  for (const Edge* edge : node.in_edges()) {
    if (edge->control()) continue;
    std::string& input = spec.inputs[edge->dst_input];
    input = edge->src->name();
    if (edge->src_output > 0) absl::StrAppend(&input, ":", edge->src_output);
  }
  return spec;
}

}  // namespace

// Builds an Executable from a graph in five passes: frames, nodes, edges, strands, start.
class Compiler {
 public:
  Compiler(const graph::Graph& graph, const Executable::Options& options)
      : graph_(graph), options_(options), nodes_(graph.nodes()), exec_(new Executable) {
    index_.assign(graph.num_ids(), 0);
    for (size_t i = 0; i < nodes_.size(); ++i) index_[nodes_[i]->id()] = static_cast<uint32_t>(i);
  }

  absl::StatusOr<std::shared_ptr<const Executable>> Compile() {
    exec_->functions = options_.functions;
    exec_->nodes.resize(nodes_.size());
    SLUICE_RETURN_IF_ERROR(AssignFrames(graph_));
    DrawInOrder();
    for (uint32_t i = 0; i < nodes_.size(); ++i) SLUICE_RETURN_IF_ERROR(AddNode(i));
    for (uint32_t i = 0; i < nodes_.size(); ++i) AddEdges(i);
    FindStrands(*exec_);
    FindStart();
    exec_->costs = std::vector<std::atomic<uint32_t>>(nodes_.size());
    return exec_;
  }

 private:
  absl::Status AssignFrames(const graph::Graph& graph) {
    SLUICE_ASSIGN(const graph::Frames frames, graph::AnalyzeFrames(graph));
    for (const graph::LoopFrame& frame : frames.frames) {
      FrameInfo& info = exec_->frames.emplace_back();
      info.name = frame.name;
      info.name_hash = StableHash(frame.name);  // the same at both ends of an edge
      info.parent = static_cast<uint32_t>(frame.parent);
      info.parallel_iterations =
          static_cast<int>(std::clamp<int64_t>(frame.parallel_iterations, 1, 1 << 16));
    }
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      exec_->nodes[i].frame = static_cast<uint32_t>(frames.input[nodes_[i]->id()]);
      exec_->nodes[i].entered_frame = static_cast<uint32_t>(frames.output[nodes_[i]->id()]);
    }
    return absl::OkStatus();
  }

  // Parallel iterations would draw random numbers in a different order in each run. If a loop draws
  // numbers, its iterations run one after the other.
  void DrawInOrder() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (!AdvancesRandomStream(*nodes_[i])) continue;
      for (uint32_t frame = exec_->nodes[i].frame; frame != 0; frame = exec_->frames[frame].parent)
        exec_->frames[frame].parallel_iterations = 1;
    }
  }

  absl::Status AddNode(uint32_t i) {
    const Node& node = *nodes_[i];
    ExecNode& out = exec_->nodes[i];
    FrameInfo& frame = exec_->frames[out.frame];
    out.kind = KindOf(node);
    out.num_inputs = static_cast<uint32_t>(node.num_inputs());
    out.num_outputs = static_cast<uint32_t>(node.num_outputs());
    out.first_slot = frame.num_slots;
    frame.num_slots += out.num_inputs;
    frame.preset_of.resize(frame.num_slots, FrameInfo::kNoPreset);
    out.state = static_cast<uint32_t>(frame.initial_states.size());
    frame.initial_states.push_back(InitialState(node, out.kind));
    out.first_type = static_cast<uint32_t>(exec_->types.size());
    exec_->types.insert(exec_->types.end(), node.input_types.begin(), node.input_types.end());
    exec_->types.insert(exec_->types.end(), node.output_types.begin(), node.output_types.end());
    exec_->max_outputs = std::max(exec_->max_outputs, out.num_outputs);
    out.allows_uninitialized = node.op_def() != nullptr && node.op_def()->allows_uninitialized;
    out.keeps_output = node.kind() == OpKind::kConst || node.kind() == OpKind::kVariable;
    out.reads_uninitialized = out.allows_uninitialized && IsForDebugger(node);
    if (out.kind == NodeKind::kMerge) frame.has_merges = true;
    if (out.kind == NodeKind::kEnter) {
      out.constant_enter = GetAttrOr<bool>(node.attrs, "is_constant", false);
      ++exec_->frames[out.entered_frame].num_enters;
    }
    for (const Edge* edge : node.in_edges()) {
      if (!edge->control() && IsRef(edge->src->output_types[edge->src_output]))
        out.takes_refs = true;
    }
    out.changes_state = absl::c_any_of(node.input_types,
                                       [](DType type) { return IsRef(type) || type == kResource; });
    exec_->names.push_back(node.name());
    exec_->ops.push_back(node.op());
    SLUICE_ASSIGN(const int device, options_.device(node.device));
    out.device = static_cast<uint16_t>(device);
    out.own_memory = options_.own_memory(device);
    if (out.own_memory && !absl::c_linear_search(exec_->own_memory_devices, device))
      exec_->own_memory_devices.push_back(device);
    if (exec_->device_names.size() <= static_cast<size_t>(device))
      exec_->device_names.resize(device + 1);
    exec_->device_names[device] = node.device;
    return AddKernel(node, out);
  }

  absl::Status AddKernel(const Node& node, ExecNode& out) {
    if (!NeedsKernel(out.kind)) {
      out.cheap = true;
      return absl::OkStatus();
    }
    if (node.op_def() == nullptr) {
      return NotFound("Op type not registered '", node.op(), "' [[{{node ", node.name(), "}}]]");
    }
    NodeSpec spec = SpecOf(node, graph_.producer_version);
    if (out.own_memory) SLUICE_RETURN_IF_ERROR(FindMemory(node, spec, out));
    auto kernel = WithinMemory([&] { return options_.kernel(spec); });
    if (!kernel.ok()) return WithNode(kernel.status(), node);
    out.kernel = kernel->get();
    // If values are in host memory, a send or a fetch completes at once, so such a graph may still
    // be serial.
    out.asynchronous = out.kernel->asynchronous() && !(HandsOver(node.kind()) && !out.own_memory);
    out.cheap = options_.cheap(spec);
    exec_->kernels_.push_back(*std::move(kernel));
    return absl::OkStatus();
  }

  static absl::Status WithNode(const absl::Status& status, const Node& node) {
    return absl::Status(status.code(), absl::StrCat(status.message(), "\n\t [[{{node ", node.name(),
                                                    "}}]] (", node.op(), " on ", node.device, ")"));
  }

  // The memory of the kernel's arguments; the value of a Const goes to the memory of its readers.
  absl::Status FindMemory(const Node& node, NodeSpec& spec, ExecNode& out) {
    if (options_.on_host != nullptr) {
      const ArgumentsOnHost found = options_.on_host(spec);
      out.all_on_host = node.num_inputs() + node.num_outputs() > 0 && found.all();
      if (absl::c_linear_search(found.outputs, 1)) {
        out.first_on_host = static_cast<uint32_t>(exec_->on_host.size());
        exec_->on_host.insert(exec_->on_host.end(), found.outputs.begin(), found.outputs.end());
      }
    }
    if (options_.upload == nullptr || !HoldsConstant(node) || node.attrs.contains(kOnHostAttr))
      return absl::OkStatus();
    const Tensor& value = *node.attrs.find("value")->second.get_if<Tensor>();
    const AllocationLabel label(exec_->names.back());
    absl::StatusOr<Tensor> uploaded = options_.upload(value, out.device);
    if (!uploaded.ok()) return WithNode(uploaded.status(), node);
    uploaded_.emplace(&node, *uploaded);
    spec.attrs["value"] = *std::move(uploaded);
    return absl::OkStatus();
  }

  static uint64_t InitialState(const Node& node, NodeKind kind) {
    uint64_t count = 0;
    for (const Edge* edge : node.in_edges()) {
      if (kind != NodeKind::kMerge || edge->control()) ++count;
    }
    return count;
  }

  // Edges sorted by output, so that the last use of each is known. A Const that fills slots keeps
  // only its control edges.
  void AddEdges(uint32_t i) {
    ExecNode& node = exec_->nodes[i];
    std::vector<const Edge*> out(nodes_[i]->out_edges().begin(), nodes_[i]->out_edges().end());
    std::stable_sort(out.begin(), out.end(),
                     [](const Edge* a, const Edge* b) { return a->src_output < b->src_output; });
    const bool preset = FillsSlots(*nodes_[i]);
    node.first_edge = node.end_edge = static_cast<uint32_t>(exec_->edges.size());
    if (FillsIterations(*nodes_[i])) return;  // TriggerConsumers handles it
    for (size_t k = 0; k < out.size(); ++k) {
      const uint32_t to = IndexOf(*out[k]->dst);
      ExecNode& target = exec_->nodes[to];
      if (out[k]->control()) {
        if (FillsIterations(*out[k]->dst))
          TriggerConsumers(i, *out[k]->dst);
        else
          exec_->edges.push_back({to, ExecEdge::kNoSlot, 0, false});
        continue;
      }
      const uint32_t slot = target.first_slot + static_cast<uint32_t>(out[k]->dst_input);
      if (preset && target.frame == 0 && target.kind != NodeKind::kMerge) {
        Fill(to, slot, i);
        --StateOf(target);
        continue;
      }
      const bool last = k + 1 == out.size() || out[k + 1]->src_output != out[k]->src_output;
      exec_->edges.push_back({to, slot, static_cast<uint32_t>(out[k]->src_output), last});
    }
    node.end_edge = static_cast<uint32_t>(exec_->edges.size());
    if (preset && node.first_edge == node.end_edge) skip_.push_back(i);
  }

  // `source` made a slot-filling Const ready. It makes the Const's consumers ready itself, each
  // once (and dead if it is dead).
  void TriggerConsumers(uint32_t source, const Node& constant) {
    for (const Edge* edge : constant.out_edges()) {
      const uint32_t to = IndexOf(*edge->dst);
      const ExecNode& target = exec_->nodes[to];
      Fill(to, target.first_slot + static_cast<uint32_t>(edge->dst_input), IndexOf(constant));
      if (triggered_.insert({source, to}).second && !HasEdge(*nodes_[source], *edge->dst))
        exec_->edges.push_back({to, ExecEdge::kNoSlot, 0, false});
      else
        --StateOf(target);
    }
  }

  static bool HasEdge(const Node& from, const Node& to) {
    return std::any_of(to.in_edges().begin(), to.in_edges().end(),
                       [&](const Edge* edge) { return edge->src == &from; });
  }

  void Fill(uint32_t consumer, uint32_t slot, uint32_t constant) {
    const Node& node = *nodes_[constant];
    FrameInfo& frame = exec_->frames[exec_->nodes[constant].frame];
    frame.preset_of[slot] = static_cast<uint32_t>(frame.presets.size());
    const auto uploaded = uploaded_.find(&node);
    frame.presets.push_back({slot, constant,
                             uploaded != uploaded_.end()
                                 ? uploaded->second
                                 : *node.attrs.find("value")->second.get_if<Tensor>()});
    exec_->nodes[consumer].has_presets = true;
  }

  // A Const of the root that does not need to run, except for its control edges.
  bool FillsSlots(const Node& node) const {
    return HoldsConstant(node) && exec_->nodes[IndexOf(node)].frame == 0 &&
           node.in_edges().empty() && !node.out_edges().empty();
  }

  // A Const of a loop that never needs to run: one node decides for it.
  bool FillsIterations(const Node& node) const {
    if (!HoldsConstant(node) || node.in_edges().size() != 1 || node.out_edges().empty())
      return false;
    const uint32_t frame = exec_->nodes[IndexOf(node)].frame;
    if (frame == 0) return false;
    return std::all_of(node.out_edges().begin(), node.out_edges().end(), [&](const Edge* edge) {
      const ExecNode& target = exec_->nodes[IndexOf(*edge->dst)];
      return !edge->control() && target.frame == frame && target.kind != NodeKind::kMerge;
    });
  }

  static bool HoldsConstant(const Node& node) {
    if (node.kind() != OpKind::kConst) return false;
    auto it = node.attrs.find("value");
    return it != node.attrs.end() && it->second.is<Tensor>();
  }

  uint32_t IndexOf(const Node& node) const { return index_[node.id()]; }
  uint64_t& StateOf(const ExecNode& node) {
    return exec_->frames[node.frame].initial_states[node.state];
  }

  void FindStart() {
    exec_->serial = true;
    exec_->may_learn_ = true;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      const ExecNode& node = exec_->nodes[i];
      // If the host may not read the memory, a Switch's pred is copied to the host first.
      const bool waits_for_pred = node.kind == NodeKind::kSwitch && node.own_memory;
      if (!node.cheap || node.asynchronous || waits_for_pred) exec_->serial = false;
      if (node.asynchronous || node.own_memory) exec_->may_learn_ = false;
      if (std::binary_search(skip_.begin(), skip_.end(), i)) continue;
      const uint64_t state = StateOf(node);
      const bool waits = node.kind == NodeKind::kMerge && node.num_inputs > 0;
      if (node.frame == 0 && PendingOf(state) == 0 && !waits) exec_->roots.push_back(i);
    }
    for (ExecEdge& edge : exec_->edges) {
      const ExecNode& target = exec_->nodes[edge.node];
      edge.sole = target.kind != NodeKind::kMerge && PendingOf(StateOf(target)) == 1;
    }
  }

  const graph::Graph& graph_;
  const Executable::Options& options_;
  const std::vector<Node*> nodes_;
  std::shared_ptr<Executable> exec_;
  std::vector<uint32_t> index_;                        // node id -> index
  absl::flat_hash_map<const Node*, Tensor> uploaded_;  // Const nodes: values in device memory
  std::vector<uint32_t> skip_;  // Const nodes of the root that never run, ascending
  absl::flat_hash_set<std::pair<uint32_t, uint32_t>> triggered_;  // see TriggerConsumers
};

Executable::Executable() = default;
Executable::~Executable() = default;

absl::StatusOr<std::shared_ptr<const Executable>> Executable::Compile(const graph::Graph& graph,
                                                                      const Options& options) {
  return Compiler(graph, options).Compile();
}

void Executable::Learn() const {
  if (!may_learn_) return;
  const uint32_t runs = shared_runs_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (runs % 16 != 4) return;
  // A node that never ran is on a branch not taken. If it is expensive, its first run shows it.
  const bool small = std::all_of(costs.begin(), costs.end(), [](const auto& cost) {
    return cost.load(std::memory_order_relaxed) < kExpensiveTicks;
  });
  if (small) learned_serial_.store(true, std::memory_order_relaxed);
}

std::unique_ptr<ExecutionScratch> Executable::TakeScratch(bool serially) const {
  absl::MutexLock lock(&mu_);
  auto& kept = scratch_[serially];
  if (kept.empty()) return nullptr;
  std::unique_ptr<ExecutionScratch> scratch = std::move(kept.back());
  kept.pop_back();
  return scratch;
}

void Executable::KeepScratch(std::unique_ptr<ExecutionScratch> scratch, bool serially) const {
  constexpr size_t kKept = 4;  // steps of one signature that usually run in parallel
  absl::MutexLock lock(&mu_);
  auto& kept = scratch_[serially];
  if (kept.size() < kKept) kept.push_back(std::move(scratch));
}

}  // namespace sluice::worker
