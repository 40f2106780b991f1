#include "worker_service/trace.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "core/codec.h"
#include "graph/graph.h"
#include "proto/step_stats.pb.h"

namespace sluice::worker {
namespace {

// Who feeds each node, by its index: "a", "^b" for control.
std::vector<std::vector<std::string>> InputsOf(const Executable& executable) {
  std::vector<std::vector<std::string>> inputs(executable.nodes.size());
  for (size_t i = 0; i < executable.nodes.size(); ++i) {
    const ExecNode& node = executable.nodes[i];
    const FrameInfo& frame = executable.frames[node.frame];
    for (uint32_t slot = node.first_slot; slot < node.first_slot + node.num_inputs; ++slot) {
      if (const uint32_t preset = frame.preset_of[slot]; preset != FrameInfo::kNoPreset)
        inputs[i].push_back(executable.names[frame.presets[preset].constant]);
    }
    for (uint32_t e = node.first_edge; e < node.end_edge; ++e) {
      const ExecEdge& edge = executable.edges[e];
      const bool control = edge.slot == ExecEdge::kNoSlot;
      inputs[edge.node].push_back(absl::StrCat(control ? "^" : "", executable.names[i]));
    }
  }
  return inputs;
}

// Of the constants that only fill slots of the root, and so never run, one preset each.
std::vector<const Preset*> UntracedConstants(const Executable& executable) {
  std::map<uint32_t, const Preset*> first;
  for (const Preset& preset : executable.frames[0].presets) {
    const ExecNode& node = executable.nodes[preset.constant];
    if (node.first_edge == node.end_edge) first.emplace(preset.constant, &preset);
  }
  std::vector<const Preset*> presets;
  for (const auto& [constant, preset] : first) presets.push_back(preset);
  return presets;
}

// Devices in the order they were first seen.
class DeviceStats {
 public:
  explicit DeviceStats(proto::StepStats* stats) : stats_(stats) {}
  proto::DeviceStepStats* Of(const std::string& device) {
    auto [it, made] = by_name_.try_emplace(device, nullptr);
    if (made) {
      it->second = stats_->add_dev_stats();
      it->second->set_device(device);
    }
    return it->second;
  }

 private:
  proto::StepStats* const stats_;
  std::map<std::string, proto::DeviceStepStats*> by_name_;
};

void SetTimes(int64_t start_ns, int64_t end_ns, proto::NodeExecStats* node) {
  const int64_t took = end_ns - start_ns;
  node->set_all_start_micros(start_ns / 1000);
  node->set_all_start_nanos(start_ns);
  node->set_scheduled_micros(start_ns / 1000);
  node->set_scheduled_nanos(start_ns);
  node->set_op_end_rel_micros(took / 1000);
  node->set_op_end_rel_nanos(took);
  node->set_all_end_rel_micros(took / 1000);
  node->set_all_end_rel_nanos(took);
}

void NameThread(uint32_t thread, proto::DeviceStepStats* device) {
  if (device->thread_names().contains(thread)) return;
  std::ifstream file(absl::StrCat("/proc/self/task/", thread, "/comm"));
  std::string name;
  if (std::getline(file, name)) (*device->mutable_thread_names())[thread] = name;
}

std::string Label(absl::string_view name, absl::string_view op, absl::string_view inputs) {
  return absl::StrCat(name, " = ", op, "(", inputs, ")");
}

}  // namespace

CutEdgeNames NamesOfCutEdges(const graph::Graph& partition) {
  CutEdgeNames names;
  for (const graph::Node* node : partition.nodes()) {
    auto edge = GetAttr<int64_t>(node->attrs, "_edge");
    if (!edge.ok()) continue;
    const auto text = [&](const char* attr) { return GetAttrOr(node->attrs, attr, std::string()); };
    names[static_cast<uint64_t>(*edge)] = {text("tensor_name"), text("send_device"),
                                           text("recv_device")};
  }
  return names;
}

void StepStatsTrace::NodeRan(const ExecNode& node, const std::string& name, const std::string& op,
                             int device, int64_t start_ns, int64_t end_ns,
                             absl::Span<const Slot> outputs) {
  std::vector<Output> described = Describe(outputs);
  absl::MutexLock lock(&mu_);
  events_.push_back({&node, name, op, device, start_ns, end_ns, static_cast<uint32_t>(gettid()),
                     std::move(described)});
}

std::vector<StepStatsTrace::Output> StepStatsTrace::Describe(absl::Span<const Slot> outputs) {
  std::vector<Output> described;
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& value = outputs[i].value;
    if (outputs[i].state != Slot::State::kValue || !value.valid()) continue;
    described.push_back(Described(static_cast<int>(i), value));
  }
  return described;
}

StepStatsTrace::Output StepStatsTrace::Described(int slot, const Tensor& value) {
  const Buffer* buffer = value.buffer().get();
  const Allocator* allocator = buffer != nullptr ? buffer->allocator() : nullptr;
  return {slot,
          value.dtype(),
          value.shape(),
          value.bytes(),
          allocator != nullptr ? allocator->name() : "borrowed",
          buffer != nullptr ? reinterpret_cast<uintptr_t>(buffer->data()) : 0};
}

void StepStatsTrace::AddOutputs(const std::vector<Output>& outputs, proto::NodeExecStats* node) {
  for (const Output& output : outputs) {
    proto::NodeOutput* out = node->add_output();
    out->set_slot(output.slot);
    proto::TensorDescription* tensor = out->mutable_tensor_description();
    tensor->set_dtype(static_cast<proto::DataType>(output.dtype));
    EncodeShape(PartialShape(output.shape), tensor->mutable_shape());
    proto::AllocationDescription* allocation = tensor->mutable_allocation_description();
    allocation->set_requested_bytes(output.bytes);
    allocation->set_allocated_bytes(output.bytes);
    allocation->set_allocator_name(output.allocator);
    allocation->set_ptr(output.address);
    proto::AllocatorMemoryUsed* memory = node->add_memory();
    memory->set_allocator_name(output.allocator);
    memory->set_total_bytes(output.bytes);
    memory->set_peak_bytes(output.bytes);
  }
}

std::shared_ptr<proto::StepStats> StepStatsTrace::ToProto(
    const Executable& executable, const std::vector<std::string>& devices,
    const std::vector<Step::Transfer>& transfers, const CutEdgeNames& edges) {
  auto stats = std::make_shared<proto::StepStats>();
  DeviceStats by_device(stats.get());
  const std::vector<std::vector<std::string>> inputs = InputsOf(executable);
  absl::MutexLock lock(&mu_);
  const int64_t began = events_.empty() ? absl::GetCurrentTimeNanos() : events_.front().start_ns;
  for (const Preset* preset : UntracedConstants(executable)) {
    const std::string& name = executable.names[preset->constant];
    proto::NodeExecStats* node =
        by_device.Of(devices[executable.nodes[preset->constant].device])->add_node_stats();
    node->set_node_name(name);
    node->set_timeline_label(Label(name, executable.ops[preset->constant], ""));
    SetTimes(began, began, node);
    AddOutputs({Described(0, preset->value)}, node);
  }
  for (const Event& event : events_) {
    proto::DeviceStepStats* device = by_device.Of(devices[event.device]);
    proto::NodeExecStats* node = device->add_node_stats();
    // A node of a function's body belongs to another executable.
    const std::less<const ExecNode*> before;
    const ExecNode* const first = executable.nodes.data();
    const bool own = !before(event.node, first) && before(event.node, first + inputs.size());
    const std::string from = own ? absl::StrJoin(inputs[event.node - first], ", ") : "";
    node->set_node_name(event.name);
    node->set_timeline_label(Label(event.name, event.op, from));
    node->set_thread_id(event.thread);
    NameThread(event.thread, device);
    SetTimes(event.start_ns, event.end_ns, node);
    AddOutputs(event.outputs, node);
  }
  for (const Step::Transfer& transfer : transfers) {
    auto edge = edges.find(transfer.key.edge);
    if (edge == edges.end()) continue;
    proto::NodeExecStats* node = by_device.Of(edge->second.to)->add_node_stats();
    node->set_node_name("RecvTensor");
    const double seconds = std::max<int64_t>(1, transfer.end_ns - transfer.start_ns) * 1e-9;
    node->set_timeline_label(absl::StrFormat("[%dB] [%.3fMb/s] %s from %s to %s by %s",
                                             transfer.bytes, transfer.bytes * 8 / seconds / 1e6,
                                             edge->second.tensor, edge->second.from,
                                             edge->second.to, transfer.road));
    SetTimes(transfer.start_ns, transfer.end_ns, node);
    node->add_output()
        ->mutable_tensor_description()
        ->mutable_allocation_description()
        ->set_requested_bytes(transfer.bytes);
  }
  return stats;
}

}  // namespace sluice::worker
