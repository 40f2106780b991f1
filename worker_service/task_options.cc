#include "worker_service/task_options.h"

#include <algorithm>

#include "core/device_name.h"

namespace sluice::worker {

Executable::Options TaskOptions(const std::string& task, const std::vector<Device*>& devices,
                                std::vector<std::string> device_names,
                                const KernelRegistry& kernels) {
  Executable::Options options;
  options.cheap = [&kernels](const NodeSpec& node) {
    auto device = DeviceName::Parse(node.device);
    const KernelSignature* found =
        device.ok() ? kernels.Find(node, device->type.value_or("CPU")) : nullptr;
    return found != nullptr && found->cheap;
  };
  options.device =
      [task, names = std::move(device_names)](const std::string& name) -> absl::StatusOr<int> {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    return InvalidArgument("task ", task, " has no device \"", name, "\"");
  };
  options.own_memory = [&devices](int device) { return devices[device]->has_own_memory(); };
  return options;
}

void SetDefaultContainer(const std::string& container, NodeSpec& node) {
  auto it = node.attrs.find("container");
  if (it == node.attrs.end()) return;
  const auto* named = it->second.get_if<std::string>();
  if (named != nullptr && named->empty()) it->second = container;
}

}  // namespace sluice::worker
