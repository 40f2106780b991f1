// SPDX-License-Identifier: Apache-2.0
#include "worker_service/worker_session.h"

#include <optional>

#include "core/op/op_def.h"
#include "worker_service/functions.h"
#include "worker_service/task_options.h"

namespace sluice::worker {
namespace {

bool IsTransfer(OpKind kind) {
  return kind == OpKind::kSend || kind == OpKind::kRecv || kind == OpKind::kArg ||
         kind == OpKind::kRetval;
}

// The collective operations whose keys are attributes.
absl::flat_hash_set<CollectiveUse> NamedCollectives(const graph::Graph& graph) {
  absl::flat_hash_set<CollectiveUse> uses;
  for (const graph::Node* node : graph.nodes()) {
    if (!node->attrs.contains("group_key") || !node->attrs.contains("instance_key")) continue;
    uses.insert({node->device, GetAttrOr<int64_t>(node->attrs, "group_key", 0),
                 GetAttrOr<int64_t>(node->attrs, "instance_key", 0)});
  }
  return uses;
}

}  // namespace

WorkerSession::WorkerSession(std::string handle, bool isolated, uint64_t master, Task task)
    : handle_(std::move(handle)), master_(master), task_(std::move(task)) {
  if (!isolated) return;
  for (size_t i = 0; i < task_.devices.size(); ++i)
    own_resources_.push_back(std::make_shared<ResourceStore>());
}

WorkerSession::~WorkerSession() {
  for (size_t i = 0; i < task_.devices.size(); ++i) resources(i).Clear(KeptTensors());
  for (const auto& store : own_resources_) store->ClearAll();
  if (task_.own_cluster) task_.peers->RemoveOf(handle_);
}

// The container of the tensors that have session handles.
std::string WorkerSession::KeptTensors() const { return absl::StrCat("session/", handle_); }

ResourceStore& WorkerSession::resources(size_t device) {
  return own_resources_.empty() ? task_.devices[device]->resources() : *own_resources_[device];
}

void WorkerSession::ClearContainers(const std::vector<std::string>& containers) {
  for (auto& store : own_resources_) {
    for (const std::string& container : containers) store->Clear(container);
  }
}

absl::StatusOr<uint64_t> WorkerSession::Register(const graph::Graph& graph) {
  uint64_t handle;
  {
    absl::MutexLock lock(&mu_);
    handle = next_graph_++;
  }
  Executable::Options options =
      TaskOptions(task_.name, task_.devices, task_.device_names, *task_.kernels, task_.rules);
  options.kernel = [&](const NodeSpec& node) { return KernelFor(node, handle); };
  SLUICE_ASSIGN(options.functions, FunctionsOf(graph));
  SLUICE_ASSIGN(std::shared_ptr<const Executable> executable, Executable::Compile(graph, options));
  auto names = std::make_shared<const TraceNames>(NamesForTraces(graph));
  auto collectives = std::make_shared<CollectiveUses>();
  collectives->Add(NamedCollectives(graph));
  absl::MutexLock lock(&mu_);
  graphs_[handle] = {std::move(executable), std::move(names), std::move(collectives)};
  return handle;
}

absl::StatusOr<std::shared_ptr<FunctionCaller>> WorkerSession::FunctionsOf(
    const graph::Graph& graph) {
  // A graph without functions has them too: data sets, and positions in them, can bring graphs.
  auto site = std::make_shared<FunctionSite>();
  site->task = task_.name;
  site->devices = task_.devices;
  for (size_t i = 0; i < task_.devices.size(); ++i) {
    SLUICE_ASSIGN(DeviceName name, DeviceName::Parse(task_.device_names[i]));
    site->device_names.push_back(std::move(name));
    site->resources.push_back(&resources(i));
  }
  site->kernels = task_.kernels;
  site->ops = &graph.ops();
  site->pool = task_.pool;
  site->rules = task_.rules;
  site->library = graph.library;
  if (site->library == nullptr) site->library = std::make_shared<graph::FunctionLibrary>();
  site->producer_version = graph.producer_version;
  site->own_resources = own_resources_;
  site->use = task_.function_use;
  return std::make_shared<Functions>(std::move(site));
}

void WorkerSession::Deregister(uint64_t graph) {
  absl::MutexLock lock(&mu_);
  graphs_.erase(graph);
}

absl::StatusOr<WorkerSession::Registered> WorkerSession::Find(uint64_t graph) const {
  absl::MutexLock lock(&mu_);
  auto it = graphs_.find(graph);
  if (it == graphs_.end()) {
    return Aborted("graph ", graph, " of session ", handle_, " is not known to ", task_.name,
                   ": the task may have been restarted");
  }
  return it->second;
}

absl::StatusOr<NodeSpec> WorkerSession::WithPeer(const NodeSpec& node) const {
  NodeSpec spec = node;
  SLUICE_ASSIGN(
      const std::string other,
      node.Get<std::string>(node.op_def->kind == OpKind::kSend ? "recv_device" : "send_device"));
  SLUICE_ASSIGN(const DeviceName device, DeviceName::Parse(other));
  int64_t peer = Rendezvous::kLocal;
  if (device.task_name() != task_.name) {
    const std::string peer_name =
        task_.own_cluster ? absl::StrCat(device.task_name(), "#", handle_) : device.task_name();
    SLUICE_ASSIGN(const int found, task_.peers->Find(peer_name));
    peer = found;
  }
  spec.attrs["_peer"] = peer;
  return spec;
}

absl::StatusOr<std::shared_ptr<const Kernel>> WorkerSession::KernelFor(const NodeSpec& node,
                                                                       uint64_t graph) {
  SLUICE_ASSIGN(const DeviceName device, DeviceName::Parse(node.device));
  const std::string type = device.type.value_or("CPU");
  const OpDef& op = *node.op_def;
  if (op.kind == OpKind::kSend || op.kind == OpKind::kRecv) {
    SLUICE_ASSIGN(const NodeSpec spec, WithPeer(node));
    SLUICE_ASSIGN(std::shared_ptr<const Kernel> kernel, task_.kernels->Make(spec, type));
    return kernel;
  }
  if (!op.stateful || IsTransfer(op.kind)) {
    std::optional<NodeSpec> changed;
    if (task_.rules.deterministic)
      ApplyRules(task_.rules, changed.emplace(node));  // of FractionalMaxPool
    if (op.session_tensors) changed.emplace(node).attrs["_session_container"] = KeptTensors();
    SLUICE_ASSIGN(std::shared_ptr<const Kernel> kernel,
                  task_.kernels->Make(changed.has_value() ? *changed : node, type));
    return kernel;
  }
  NodeSpec spec = node;
  if (op.session_tensors) spec.attrs["_session_container"] = KeptTensors();
  ApplyRules(task_.rules, spec);
  std::string key = absl::StrCat(node.device, ";", node.name, ";", InterfaceOf(node));
  if (node.attrs.contains("_instance")) {
    // In the body of a function that must not be inlined: its callers in one graph share it.
    key = absl::StrCat(node.device, ";", graph, ";",
                       GetAttrOr<std::string>(node.attrs, "_instance", ""), ";", InterfaceOf(node));
  }
  absl::MutexLock lock(&mu_);
  std::shared_ptr<const Kernel>& kept = stateful_[key];
  if (kept == nullptr) {
    auto made = task_.kernels->Make(spec, type);
    if (!made.ok()) {
      stateful_.erase(key);
      return made.status();
    }
    kept = *std::move(made);
  }
  return kept;
}

}  // namespace sluice::worker
