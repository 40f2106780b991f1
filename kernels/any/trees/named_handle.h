// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_TREES_NAMED_HANDLE_H_
#define SLUICE_KERNELS_ANY_TREES_NAMED_HANDLE_H_

#include <memory>
#include <string>
#include <utility>

#include "core/runtime/device.h"
#include "kernels/common/resource_handle.h"

namespace sluice::kernels {

// The handle of a T that another op makes later. Each use of the handle looks the name up.
template <typename T>
struct NamedHandle {
  ResourcePlace place;

  static absl::StatusOr<NamedHandle> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ResourcePlace place, ResourcePlace::Create(node, true));
    return NamedHandle{std::move(place)};
  }
  absl::Status Run(KernelContext& ctx) const {
    ResourceHandle handle;
    handle.device = ctx.device().name();
    handle.container = place.container;
    handle.name = place.name;
    handle.type_name = std::string(T::kTypeName);
    ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    return absl::OkStatus();
  }
};

// Whether the T of the handle in input 0 exists.
template <typename T>
struct IsInitialized {
  static absl::StatusOr<IsInitialized> Create(const NodeSpec&) { return IsInitialized{}; }
  absl::Status Run(KernelContext& ctx) const {
    const absl::Status found = ResourceOf<T>(ctx, 0).status();
    if (!found.ok() && !absl::IsNotFound(found)) return found;
    ctx.SetOutput(0, Tensor::Scalar<bool>(found.ok()));
    return absl::OkStatus();
  }
};

// Makes `made` the resource that the handle in input 0 names, unless there is one.
template <typename T>
absl::Status KeepUnlessPresent(KernelContext& ctx, const RefPtr<T>& made) {
  SLUICE_ASSIGN(const ResourceHandle* handle, internal::OneHandle(ctx, 0));
  return ctx.resources()
      .template LookupOrCreate<T>(handle->container, handle->name,
                                  [&]() -> absl::StatusOr<RefPtr<T>> { return made; })
      .status();
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_TREES_NAMED_HANDLE_H_
