// SPDX-License-Identifier: Apache-2.0
#include "graph/partition.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "core/runtime/argument_memory.h"
#include "graph/control_loops.h"
#include "graph/frames.h"

namespace sluice::graph {
namespace {

// The key that consumers on one device share: an output (or the control signal) of a node, in host
// memory or not.
struct RecvKey {
  int src;
  int output;
  int device;
  bool host;
  bool operator==(const RecvKey&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const RecvKey& key) {
    return H::combine(std::move(h), key.src, key.output, key.device, key.host);
  }
};

class Cutter {
 public:
  Cutter(Located& located, const PartitionOptions& options)
      : located_(located), graph_(located.graph), options_(options) {}

  absl::Status Run() {
    SLUICE_RETURN_IF_ERROR(CutReferences());
    SLUICE_ASSIGN(loops_, AddControlLoops(located_, ungated_));
    for (const auto& [recv, frame] : ungated_) loops_.Gate(frame, located_, recv);
    for (Node* node : graph_.nodes()) {
      for (Edge* edge : std::vector<Edge*>(node->out_edges())) {
        if (located_.Crosses(*edge)) {
          SLUICE_RETURN_IF_ERROR(Cut(edge));
        } else if (ChangesMemory(*edge)) {
          SLUICE_RETURN_IF_ERROR(CutInPlace(edge));
        }
      }
    }
    return absl::OkStatus();
  }

 private:
  struct Pair {
    Node* send;
    Node* recv;
  };

  bool HostOutput(const Node& node, int output) const {
    if (options_.host_output == nullptr) return false;
    return node.attrs.contains(kOnHostAttr) || options_.host_output(node, output);
  }
  bool HostInput(const Node& node, int input) const {
    return options_.host_input != nullptr && options_.host_input(node, input);
  }
  bool ChangesMemory(const Edge& edge) const {
    return !edge.control() && options_.host_output != nullptr && options_.host_input != nullptr &&
           HostOutput(*edge.src, edge.src_output) != HostInput(*edge.dst, edge.dst_input);
  }

  // A reference that leaves its device becomes a value, and the time of the read matters: it must
  // come after all control inputs of the reader. A tensor is pushed when its _Send runs, so the
  // _Send waits for them, and it serves only this reader.
  absl::Status CutReferences() {
    for (Node* node : graph_.nodes()) {
      for (Edge* edge : std::vector<Edge*>(node->out_edges())) {
        if (edge->control() || !IsRef(node->output_types[edge->src_output]) ||
            !located_.Crosses(*edge))
          continue;
        const Edge old = *edge;
        if (IsRef(old.dst->input_types[old.dst_input])) {
          return InvalidArgument(old.dst->Label(), " on ", old.dst->device, " writes to \"",
                                 node->name(), "\" on ", node->device,
                                 ": a variable is written only on its own device");
        }
        const int frame = located_.frames.output[node->id()];
        SLUICE_ASSIGN(Pair pair, MakePair(*node, old.src_output, located_.device_of[old.dst->id()],
                                          HostInput(*old.dst, old.dst_input)));
        for (const Edge* other : old.dst->in_edges()) {
          if (old.dst->flow() == Flow::kMerge || other->src == node ||
              other->src->in_edges().empty())
            continue;
          if (!other->control() && IsRef(other->src->output_types[other->src_output])) continue;
          graph_.AddControlEdge(other->src, pair.send);
        }
        graph_.RemoveEdge(edge);
        graph_.AddEdge(pair.recv, 0, old.dst, old.dst_input);
        if (frame != 0) ungated_.emplace_back(pair.recv, frame);
      }
    }
    return absl::OkStatus();
  }

  absl::Status Cut(Edge* edge) {
    const Edge old = *edge;
    const int device = located_.device_of[old.dst->id()];
    const bool host = !old.control() && HostInput(*old.dst, old.dst_input);
    auto [it, added] = recvs_.try_emplace({old.src->id(), old.src_output, device, host}, nullptr);
    if (added) {
      const int frame = located_.frames.output[old.src->id()];
      SLUICE_ASSIGN(it->second, MakeRecv(old, device, host));
      if (frame != 0) loops_.Gate(frame, located_, it->second);
    }
    Node* recv = it->second;
    graph_.RemoveEdge(edge);
    if (old.control()) {
      graph_.AddControlEdge(recv, old.dst);
    } else {
      graph_.AddEdge(recv, 0, old.dst, old.dst_input);
    }
    return absl::OkStatus();
  }

  // The recv of a new pair. A control edge carries an empty float, which is dead if the source is
  // dead.
  absl::StatusOr<Node*> MakeRecv(const Edge& edge, int device, bool host) {
    if (!edge.control()) {
      SLUICE_ASSIGN(Pair pair, MakePair(*edge.src, edge.src_output, device, host));
      return pair.recv;
    }
    Node*& signal = signals_[edge.src->id()];
    if (signal == nullptr) {
      SLUICE_ASSIGN(signal, located_.AddEmptyFloat(Cat(edge.src->name(), "/_signal"), *edge.src));
      graph_.AddControlEdge(edge.src, signal);
      if (options_.host_output != nullptr) signal->attrs[kOnHostAttr] = true;
    }
    SLUICE_ASSIGN(Pair pair, MakePair(*signal, 0, device, options_.host_input != nullptr));
    return pair.recv;
  }

  // A copy from host to device memory, or back, on one device.
  absl::Status CutInPlace(Edge* edge) {
    const Edge old = *edge;
    const int device = located_.device_of[old.src->id()];
    const bool host = HostInput(*old.dst, old.dst_input);
    auto [it, added] = recvs_.try_emplace({old.src->id(), old.src_output, device, host}, nullptr);
    if (added) {
      SLUICE_ASSIGN(Pair pair, MakePair(*old.src, old.src_output, device, host));
      pair.send->attrs["_hostmem_sendrecv"] = true;
      pair.recv->attrs["_hostmem_sendrecv"] = true;
      graph_.AddControlEdge(pair.send, pair.recv);
      it->second = pair.recv;
    }
    Node* recv = it->second;
    graph_.RemoveEdge(edge);
    graph_.AddEdge(recv, 0, old.dst, old.dst_input);
    return absl::OkStatus();
  }

  absl::StatusOr<Pair> MakePair(Node& src, int output, int to, bool host_recv) {
    const int number = next_edge_++;
    const bool to_device = !host_recv && HasOwnMemory(TypeOf(located_.devices[to]));
    const DType type = BaseOutputType(src, output);
    AttrMap attrs;
    attrs["tensor_name"] = absl::StrCat("edge_", number, "_", src.name());
    attrs["send_device"] = src.device;
    attrs["send_device_incarnation"] = int64_t{0};
    attrs["recv_device"] = located_.devices[to];
    attrs["client_terminated"] = false;
    attrs["_edge"] =
        static_cast<int64_t>(static_cast<uint64_t>(number) | (to_device ? kToDeviceMemory : 0));
    AttrMap send_attrs = attrs;
    send_attrs["T"] = type;
    attrs["tensor_type"] = type;
    const int frame = located_.frames.output[src.id()];
    Pair pair;
    SLUICE_ASSIGN(pair.send,
                  located_.Add(HostOutput(src, output) ? "_HostSend" : "_Send",
                               absl::StrCat(src.name(), "/_send_", number), std::move(send_attrs),
                               located_.device_of[src.id()], frame));
    SLUICE_ASSIGN(pair.recv, located_.Add(host_recv ? "_HostRecv" : "_Recv",
                                          absl::StrCat(src.name(), "/_recv_", number),
                                          std::move(attrs), to, frame));
    graph_.AddEdge(&src, output, pair.send, 0);
    return pair;
  }

  static std::string TypeOf(const std::string& device) {
    const auto name = DeviceName::Parse(device);
    return name.ok() && name->type ? *name->type : std::string(kCpu);
  }

  Located& located_;
  Graph& graph_;
  const PartitionOptions& options_;
  ControlLoops loops_;
  int next_edge_ = 0;
  absl::flat_hash_map<RecvKey, Node*> recvs_;
  absl::flat_hash_map<int, Node*> signals_;  // by source id: the empty float of its control edges
  std::vector<std::pair<Node*, int>>
      ungated_;  // recvs made before the control loops, with their frames
};

// A fetched tensor leaves its loop through an Exit.
absl::Status CheckFetches(const Located& located) {
  if (located.frames.frames.size() == 1) return absl::OkStatus();
  for (const Node* node : located.graph.nodes()) {
    const int frame = located.frames.input[node->id()];
    if (frame == 0 || node->kind() != OpKind::kRetval) continue;
    return InvalidArgument(node->input(0)->src->Label(), " is inside while loop \"",
                           located.frames.frames[frame].name, "\" and cannot be fetched");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<TaskPartition>> SplitByTask(Located& located) {
  std::map<std::string, int> parts;
  std::vector<std::string> task_of(located.devices.size());
  for (size_t i = 0; i < located.devices.size(); ++i) {
    SLUICE_ASSIGN(DeviceName device, DeviceName::Parse(located.devices[i]));
    task_of[i] = device.task_name();
    parts[task_of[i]] = 0;
  }
  std::vector<TaskPartition> tasks;
  for (auto& [task, part] : parts) {
    part = static_cast<int>(tasks.size());
    tasks.push_back({task, nullptr});
  }
  std::vector<int> part_of_id(located.graph.num_ids(), 0);
  for (const Node* node : located.graph.nodes()) {
    part_of_id[node->id()] = parts[task_of[located.device_of[node->id()]]];
  }
  auto graphs = std::move(located.graph).Split(part_of_id, static_cast<int>(tasks.size()));
  for (size_t i = 0; i < tasks.size(); ++i) tasks[i].graph = std::move(graphs[i]);
  return tasks;
}

}  // namespace

absl::StatusOr<std::vector<TaskPartition>> Partition(std::unique_ptr<Graph> graph,
                                                     const PartitionOptions& options) {
  SLUICE_ASSIGN(Located located, Located::Of(*graph));
  SLUICE_RETURN_IF_ERROR(CheckFetches(located));
  if (located.devices.size() > 1) {
    if (located.frames.frames.size() > 1) SLUICE_RETURN_IF_ERROR(MoveLoopNodes(located));
  }
  SLUICE_RETURN_IF_ERROR(Cutter(located, options).Run());
  return SplitByTask(located);
}

}  // namespace sluice::graph
