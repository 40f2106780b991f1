// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_OWNED_RESOURCE_H_
#define SLUICE_KERNELS_COMMON_DATASET_OWNED_RESOURCE_H_

#include <string>

#include "kernels/common/resource_handle.h"

namespace sluice::kernels {

// Sets output 0 to the handle of a resource that no store has, and output 1, if there is one, to an
// object that also keeps it. The resource lives as long as one of them.
void SetOwned(KernelContext& ctx, const std::string& device, absl::string_view prefix,
              RefPtr<Resource> resource);

// Deletes the T of a handle and of a deleter, which end with the step. Only a named one is in a
// store.
template <typename T>
struct DeleteOwned {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_RETURN_IF_ERROR(ResourceOf<T>(ctx, 0).status());
    const ResourceHandle& handle = ctx.input(0).scalar<ResourceHandle>();
    (void)ctx.resources().Delete(handle.container, T::kTypeName, handle.name);
    return absl::OkStatus();
  }
};

// The handle of nothing. An op that takes it makes a resource of its own.
struct MakeDummy {
  std::string device;
  static absl::StatusOr<MakeDummy> Create(const NodeSpec& node) { return MakeDummy{node.device}; }
  absl::Status Run(KernelContext& ctx) const;
};
bool IsDummy(const KernelContext& ctx, int input);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_OWNED_RESOURCE_H_
