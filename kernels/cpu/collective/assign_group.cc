// SPDX-License-Identifier: Apache-2.0
// CollectiveAssignGroupV2: the group of a device. Row i of group_assignment lists the devices of
// the group with the key base_key + i.
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {
namespace {

struct AssignGroup {
  absl::Status Run(KernelContext& ctx) const {
    const Tensor &groups = ctx.input(0), &device = ctx.input(1), &base = ctx.input(2);
    if (device.rank() != 0) {
      return InvalidArgument("device_index must be a scalar, but received tensor of shape: ",
                             device.shape());
    }
    if (groups.rank() != 2) {
      return InvalidArgument(
          "group_assignment must be a 2-d Tensor, but received tensor of shape: ", groups.shape());
    }
    if (base.rank() != 0) {
      return InvalidArgument("base_key must be a scalar, but received tensor of shape: ",
                             base.shape());
    }
    SLUICE_ASSIGN(const int32_t key,
                  KeyOf(groups, device.scalar<int32_t>(), base.scalar<int32_t>()));
    ctx.SetOutput(0, Tensor::Scalar<int32_t>(static_cast<int32_t>(groups.dim(1))));
    ctx.SetOutput(1, Tensor::Scalar<int32_t>(key));
    return absl::OkStatus();
  }

  // Key 0 is reserved.
  static absl::StatusOr<int32_t> KeyOf(const Tensor& groups, int32_t device, int32_t base) {
    const int32_t* const devices = groups.data<int32_t>();
    for (int64_t group = 0; group < groups.dim(0); ++group) {
      const auto key =
          static_cast<int32_t>(static_cast<uint32_t>(base) + static_cast<uint32_t>(group));
      if (key == 0) {
        return InvalidArgument("Using the reserved group_key = 0 is not allowed: group_id = ",
                               group, ", base_key = ", base);
      }
      for (int64_t member = 0; member < groups.dim(1); ++member) {
        const int32_t found = devices[group * groups.dim(1) + member];
        if (found < 0 || found >= groups.num_elements()) {
          return InvalidArgument("Not all items in group_assignment ", groups.ToString(),
                                 " is within [0, number of devices)");
        }
        if (found == device) return key;
      }
    }
    return InvalidArgument("device_index ", device, " is not found in group_assignment ",
                           groups.ToString());
  }
};

}  // namespace

void RegisterAssignGroup(KernelRegistry& kernels) {
  kernels.Add<AssignGroup>("CollectiveAssignGroupV2", kCpu, {}, kCheap);
}

}  // namespace sluice::kernels
