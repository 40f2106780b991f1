// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_STRING_HANDLES_H_
#define SLUICE_KERNELS_ANY_DATASET_STRING_HANDLES_H_

#include <string>
#include <utility>

#include "core/codec/codec.h"
#include "core/runtime/kernel_registry.h"
#include "kernels/common/dataset/data_set.h"
#include "kernels/common/resource_handle.h"

// Handles of iterators as strings, which a client can feed.

namespace sluice::kernels {

// From now on the store keeps an anonymous one, because the string does not, until an op deletes it.
template <typename T>
struct ToStringHandle {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const RefPtr<T> found, ResourceOf<T>(ctx, 0));
    const auto& handle = ctx.input(0).scalar<ResourceHandle>();
    const auto same = [&]() -> absl::StatusOr<RefPtr<T>> { return found; };
    SLUICE_RETURN_IF_ERROR(
        ctx.resources().template LookupOrCreate<T>(handle.container, handle.name, same).status());
    std::string text;
    SLUICE_RETURN_IF_ERROR(EncodeContent(ctx.input(0), &text));
    ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(text)));
    return absl::OkStatus();
  }
};

template <typename T>
struct FromStringHandle {
  ElementSpec spec;  // empty: any
  std::string device;

  static absl::StatusOr<FromStringHandle> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(ElementSpec spec, ElementSpec::Create(node));
    return FromStringHandle{std::move(spec), node.device};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string text, ScalarInput<std::string>(ctx, 0, "string_handle"));
    absl::StatusOr<Tensor> handle = DecodeContent(kResource, Shape{}, text);
    if (!handle.ok()) {
      return InvalidArgument("Could not parse string_handle as a valid ResourceHandle");
    }
    const auto& stated = handle->template scalar<ResourceHandle>();
    if (stated.device != device) {
      return InvalidArgument("Attempted create an iterator on device \"", device,
                             "\" from handle defined on device \"", stated.device, "\"");
    }
    SLUICE_ASSIGN(const RefPtr<T> found, ctx.resources().template Resolve<T>(stated));
    if (!spec.types.empty()) SLUICE_RETURN_IF_ERROR(spec.Accepts(found->spec()));
    handle->template mutable_data<ResourceHandle>()->object = found;
    ctx.SetOutput(0, *std::move(handle));
    return absl::OkStatus();
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_STRING_HANDLES_H_
