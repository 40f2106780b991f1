// SPDX-License-Identifier: Apache-2.0
#include "worker_service/trace.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>

#include "absl/algorithm/container.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "core/codec/codec.h"
#include "graph/graph.h"
#include "proto/step_stats.pb.h"

namespace sluice::worker {
namespace {

// Devices in the order of their first use.
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

using Output = StepStatsTrace::Output;

Output Described(int slot, const Tensor& value, bool allocated) {
  const Buffer* buffer = value.buffer().get();
  const Allocator* allocator = buffer != nullptr ? buffer->allocator() : nullptr;
  return {slot,
          value.dtype(),
          value.shape(),
          value.bytes(),
          allocator != nullptr ? allocator->name() : "borrowed",
          reinterpret_cast<uintptr_t>(value.raw()),
          allocated && value.bytes() > 0};
}

std::vector<Output> Describe(const StepTrace::NodeRun& run) {
  std::vector<Output> described;
  for (size_t i = 0; i < run.outputs.size(); ++i) {
    const Slot& slot = run.outputs[i];
    const int index = static_cast<int>(i);
    if (slot.state == Slot::State::kValue && slot.value.valid())
      described.push_back(
          Described(index, slot.value, !absl::c_linear_search(run.inputs, slot.value.raw())));
    if (slot.state != Slot::State::kRef) continue;
    absl::ReaderMutexLock lock(&slot.ref->guard->mu);
    if (slot.ref->value.valid())
      described.push_back(Described(index, slot.ref->value, /*allocated=*/false));
  }
  return described;
}

// Writes the nodes that one executable ran, in the order in which they ended.
class Report {
 public:
  Report(const Executable& executable, const std::vector<std::string>& devices,
         const TraceNames& names, proto::StepStats* stats)
      : executable_(executable), devices_(devices), names_(names), by_device_(stats) {
    for (const FrameInfo& frame : executable.frames) {
      for (const Preset& preset : frame.presets) {
        const ExecNode& node = executable.nodes[preset.constant];
        if (node.first_edge == node.end_edge) constants_.emplace(preset.constant, &preset);
      }
    }
    for (const auto& [constant, preset] : constants_) {
      if (!names.inputs[constant].empty())
        triggered_[names.inputs[constant][0].node].push_back(constant);
    }
  }

  void AddConstantsOfTheRoot(int64_t at_ns) {
    for (const auto& [constant, preset] : constants_) {
      if (names_.inputs[constant].empty()) AddConstant(constant, at_ns);
    }
  }

  void Add(const StepStatsTrace::Event& event) {
    proto::DeviceStepStats* device = by_device_.Of(devices_[event.device]);
    proto::NodeExecStats* node = device->add_node_stats();
    // A node of a function's body belongs to another executable.
    const std::less<const ExecNode*> before;
    const ExecNode* const first = executable_.nodes.data();
    const bool own =
        !before(event.node, first) && before(event.node, first + executable_.nodes.size());
    const auto index = static_cast<uint32_t>(own ? event.node - first : 0);
    node->set_node_name(event.name);
    node->set_timeline_label(Label(event.name, event.op, own ? InputsOf(index) : ""));
    node->set_thread_id(event.thread);
    NameThread(event.thread, device);
    SetTimes(event.start_ns, event.end_ns, node);
    AddOutputs(event.keeps_output, event.outputs, event.end_ns, node);
    AddTemporaries(event, node);
    if (!own) return;
    if (auto triggered = triggered_.find(index); triggered != triggered_.end()) {
      for (uint32_t constant : triggered->second) AddConstant(constant, event.end_ns);
    }
  }

  void Add(const Step::Transfer& transfer) {
    auto edge = names_.edges.find(transfer.key.edge);
    if (edge == names_.edges.end()) return;
    proto::NodeExecStats* node = by_device_.Of(edge->second.to)->add_node_stats();
    node->set_node_name("RecvTensor");
    const double seconds = std::max<int64_t>(1, transfer.end_ns - transfer.start_ns) * 1e-9;
    node->set_timeline_label(absl::StrFormat("[%dB] [%.3fMb/s] %s from %s to %s by %s",
                                             transfer.bytes, transfer.bytes * 8 / seconds / 1e6,
                                             edge->second.tensor, edge->second.from,
                                             edge->second.to, transfer.transport));
    SetTimes(transfer.start_ns, transfer.end_ns, node);
    node->add_output()
        ->mutable_tensor_description()
        ->mutable_allocation_description()
        ->set_requested_bytes(transfer.bytes);
  }

 private:
  void AddConstant(uint32_t constant, int64_t at_ns) {
    const std::string& name = executable_.names[constant];
    proto::NodeExecStats* node =
        by_device_.Of(devices_[executable_.nodes[constant].device])->add_node_stats();
    node->set_node_name(name);
    node->set_timeline_label(Label(name, executable_.ops[constant], InputsOf(constant)));
    SetTimes(at_ns, at_ns, node);
    AddOutputs(/*kept=*/true, {Described(0, constants_.at(constant)->value, false)}, at_ns, node);
  }

  std::string InputsOf(uint32_t node) const {
    std::vector<std::string> inputs;
    for (const TraceNames::Input& input : names_.inputs[node]) {
      const std::string& name = executable_.names[input.node];
      if (input.output == graph::kControl)
        inputs.push_back(absl::StrCat("^", name));
      else
        inputs.push_back(input.output == 0 ? name : absl::StrCat(name, ":", input.output));
    }
    return absl::StrJoin(inputs, ", ");
  }

  static void AddOutputs(bool kept, const std::vector<Output>& outputs, int64_t at_ns,
                         proto::NodeExecStats* node) {
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
      if (kept) {
        proto::MemoryStats* memory = node->mutable_memory_stats();
        memory->set_persistent_memory_size(memory->persistent_memory_size() + output.bytes);
        continue;
      }
      if (!output.allocated) continue;
      allocation->set_has_single_reference(true);
      proto::AllocatorMemoryUsed* memory = MemoryOf(output.allocator, node);
      memory->set_total_bytes(memory->total_bytes() + output.bytes);
      memory->set_peak_bytes(memory->peak_bytes() + output.bytes);
      memory->set_live_bytes(memory->live_bytes() + output.bytes);
      proto::AllocationRecord* record = memory->add_allocation_records();
      record->set_alloc_micros(at_ns / 1000);
      record->set_alloc_bytes(output.bytes);
    }
  }

  static proto::AllocatorMemoryUsed* MemoryOf(const std::string& allocator,
                                              proto::NodeExecStats* node) {
    for (proto::AllocatorMemoryUsed& memory : *node->mutable_memory()) {
      if (memory.allocator_name() == allocator) return &memory;
    }
    proto::AllocatorMemoryUsed* memory = node->add_memory();
    memory->set_allocator_name(allocator);
    return memory;
  }

  // Adds up all of them: this is an upper bound of the parallel use.
  static void AddTemporaries(const StepStatsTrace::Event& event, proto::NodeExecStats* node) {
    if (event.temporary_bytes == 0) return;
    const auto bytes = static_cast<int64_t>(event.temporary_bytes);
    node->mutable_memory_stats()->set_temp_memory_size(bytes);
    proto::AllocatorMemoryUsed* memory = MemoryOf("cpu", node);
    memory->set_total_bytes(memory->total_bytes() + bytes);
    memory->set_peak_bytes(memory->peak_bytes() + bytes);
  }

  const Executable& executable_;
  const std::vector<std::string>& devices_;
  const TraceNames& names_;
  DeviceStats by_device_;
  std::map<uint32_t, const Preset*> constants_;  // constants that do not run, with one preset each
  std::map<uint32_t, std::vector<uint32_t>>
      triggered_;  // those of loops among them, by the node that triggers them
};

}  // namespace

TraceNames NamesForTraces(const graph::Graph& partition) {
  TraceNames names;
  const std::vector<graph::Node*> nodes = partition.nodes();
  std::vector<uint32_t> index(partition.num_ids(), 0);
  for (size_t i = 0; i < nodes.size(); ++i) index[nodes[i]->id()] = static_cast<uint32_t>(i);
  names.inputs.resize(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) {
    const graph::Node& node = *nodes[i];
    for (int input = 0; input < node.num_inputs(); ++input) {
      if (const graph::Edge* edge = node.input(input); edge != nullptr)
        names.inputs[i].push_back({index[edge->src->id()], edge->src_output});
    }
    for (const graph::Edge* edge : node.in_edges()) {
      if (edge->control()) names.inputs[i].push_back({index[edge->src->id()], graph::kControl});
    }
    auto edge = GetAttr<int64_t>(node.attrs, "_edge");
    if (!edge.ok()) continue;
    const auto text = [&](const char* attr) { return GetAttrOr(node.attrs, attr, std::string()); };
    names.edges[static_cast<uint64_t>(*edge)] = {text("tensor_name"), text("send_device"),
                                                 text("recv_device")};
  }
  return names;
}

void StepStatsTrace::NodeRan(const ExecNode& node, const std::string& name, const std::string& op,
                             int device, const NodeRun& run) {
  std::vector<Output> described = Describe(run);
  absl::MutexLock lock(&mu_);
  events_.push_back({&node, name, op, node.keeps_output, device, run.start_ns, run.end_ns,
                     static_cast<uint32_t>(gettid()), std::move(described), run.temporary_bytes});
}

std::shared_ptr<proto::StepStats> StepStatsTrace::ToProto(
    const Executable& executable, const std::vector<std::string>& devices,
    const std::vector<Step::Transfer>& transfers, const TraceNames& names) {
  auto stats = std::make_shared<proto::StepStats>();
  Report report(executable, devices, names, stats.get());
  absl::MutexLock lock(&mu_);
  report.AddConstantsOfTheRoot(events_.empty() ? absl::GetCurrentTimeNanos()
                                               : events_.front().start_ns);
  for (const Event& event : events_) report.Add(event);
  for (const Step::Transfer& transfer : transfers) report.Add(transfer);
  return stats;
}

}  // namespace sluice::worker
