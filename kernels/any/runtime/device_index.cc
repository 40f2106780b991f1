// SPDX-License-Identifier: Apache-2.0
// DeviceIndex: the place of the device's type in a list of types.
#include <algorithm>
#include <string>
#include <vector>

#include "core/runtime/device.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/any/runtime/register.h"

namespace sluice::kernels {
namespace {

struct DeviceIndex {
  std::vector<std::string> types;

  static absl::StatusOr<DeviceIndex> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::vector<std::string> types,
                  node.Get<std::vector<std::string>>("device_names"));
    return DeviceIndex{std::move(types)};
  }

  // The number of types if none is the device's.
  absl::Status Run(KernelContext& ctx) const {
    const auto at = std::find(types.begin(), types.end(), ctx.device().type());
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(at - types.begin())));
    return absl::OkStatus();
  }
};

}  // namespace

void RegisterDeviceIndex(KernelRegistry& kernels) {
  kernels.Add<DeviceIndex>("DeviceIndex", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
