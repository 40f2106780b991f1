// SPDX-License-Identifier: Apache-2.0
#include "worker_service/task_options.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/notification.h"
#include "core/device_name.h"
#include "core/runtime/device.h"
#include "core/stable_hash.h"

namespace sluice::worker {
namespace {

// A node without a container attribute keeps its resource in the default container.
void SetContainer(const std::string& container, NodeSpec& node) {
  auto it = node.attrs.find("container");
  if (it == node.attrs.end()) return;
  const auto* named = it->second.get_if<std::string>();
  if (named != nullptr && named->empty()) it->second = container;
}

void SetSeed(NodeSpec& node) {
  if (!node.attrs.contains("seed2")) return;
  if (GetAttrOr<int64_t>(node.attrs, "seed", 0) != 0 ||
      GetAttrOr<int64_t>(node.attrs, "seed2", 0) != 0)
    return;
  node.attrs["seed"] = static_cast<int64_t>(StableHash(node.device));
  // In the body of a function, names are the same in every function.
  node.attrs["seed2"] = static_cast<int64_t>(
      StableHash(absl::StrCat(GetAttrOr<std::string>(node.attrs, "_instance", ""), node.name)));
  // Fractional pools accept seeds only in this way.
  if (node.attrs.contains("deterministic")) node.attrs["deterministic"] = true;
}

// Empty if the name of the device cannot be parsed.
std::string DeviceTypeOf(const NodeSpec& node) {
  const absl::StatusOr<DeviceName> device = DeviceName::Parse(node.device);
  return device.ok() ? device->type.value_or("CPU") : "";
}

// A constant is copied to the device once, when the graph is compiled. This waits for the copy.
// Devices of type CPU read host memory.
absl::StatusOr<Tensor> Upload(const Tensor& value, Device& device) {
  if (!HasOwnMemory(device.type()) || !IsPlain(value.dtype())) return value;
  absl::StatusOr<Tensor> uploaded;
  absl::Notification ended;
  device.CopyFromHost(value, [&](absl::StatusOr<Tensor> copy) {
    uploaded = std::move(copy);
    ended.Notify();
  });
  ended.WaitForNotification();
  return uploaded;
}

}  // namespace

Executable::Options TaskOptions(const std::string& task, const std::vector<Device*>& devices,
                                std::vector<std::string> device_names,
                                const KernelRegistry& kernels, const TaskRules& rules) {
  Executable::Options options;
  options.cheap = [&kernels, in_order = rules.deterministic](const NodeSpec& node) {
    if (in_order) return true;
    const KernelSignature* found = kernels.Find(node, DeviceTypeOf(node));
    return found != nullptr && found->cheap;
  };
  options.device =
      [task, names = std::move(device_names)](const std::string& name) -> absl::StatusOr<int> {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    return InvalidArgument("task ", task, " has no device \"", name, "\"");
  };
  options.on_host = [&kernels](const NodeSpec& node) -> ArgumentsOnHost {
    const std::string type = DeviceTypeOf(node);
    if (type.empty() || !HasOwnMemory(type)) return {};
    return FindArgumentsOnHost(node.op_def, node.attrs, node.input_types, node.output_types,
                               kernels.Find(node, type));
  };
  options.upload = [&devices](const Tensor& value, int device) {
    return Upload(value, *devices[device]);
  };
  options.own_memory = [&devices](int device) { return devices[device]->has_own_memory(); };
  return options;
}

std::string InterfaceOf(const NodeSpec& node) {
  const auto types = [](const std::vector<DType>& of) {
    return absl::StrJoin(of, ",", [](std::string* out, DType type) {
      absl::StrAppend(out, static_cast<int>(type));
    });
  };
  return absl::StrCat(node.op, "(", types(node.input_types), ")->", types(node.output_types));
}

void ApplyRules(const TaskRules& rules, NodeSpec& node) {
  SetContainer(rules.default_container, node);
  if (rules.deterministic) SetSeed(node);
}

}  // namespace sluice::worker
