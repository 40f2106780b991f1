// SPDX-License-Identifier: Apache-2.0
// Tensors that a session keeps on its devices between runs, and their handles.
#include "kernels/any/data_flow/session_handle.h"

#include <atomic>

#include "core/runtime/device.h"
#include "kernels/any/data_flow/register.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// A kept value. A handle is "<node>;<number>;<device>": clients read the device from it.
class SessionTensor final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "SessionTensor";
  explicit SessionTensor(Tensor value) : value(std::move(value)) {}
  std::string ToString() const override { return "a tensor kept by the session"; }
  absl::string_view type_name() const override { return kTypeName; }
  const Tensor value;
};

// The container of a session's tensors; the worker sets it on the node.
absl::StatusOr<std::string> ContainerOf(const NodeSpec& node) {
  auto container = node.Get<std::string>("_session_container");
  if (!container.ok()) return FailedPrecondition(node.op, " needs a session that keeps the tensor");
  return container;
}

absl::StatusOr<std::string> HandleText(const KernelContext& ctx) {
  const Tensor& handle = ctx.input(0);
  if (handle.dtype() != kString || handle.num_elements() != 1)
    return InvalidArgument("a session handle is a string, got ", handle.dtype(), " ",
                           handle.shape());
  return handle.flat<std::string>()[0];
}

struct GetSessionHandle {
  std::string container, name;
  std::string device;  // the session's name for it
  bool as_resource;    // V2
  const Primitives* on = nullptr;

  static absl::StatusOr<GetSessionHandle> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string container, ContainerOf(node));
    return GetSessionHandle{std::move(container), node.name, node.device,
                            node.op == "GetSessionHandleV2"};
  }
  absl::Status Run(KernelContext& ctx) const {
    static std::atomic<int64_t> count{0};
    Tensor value = ctx.input(0);
    if (value.buffer() && value.buffer()->guard()) {  // a variable's memory will change
      SLUICE_ASSIGN(value, CopyHere(ctx, *on, value));
    }
    ResourceHandle handle;
    handle.device = device;
    handle.container = container;
    handle.name = absl::StrCat(name, ";", count.fetch_add(1), ";", device);
    handle.type_name = std::string(SessionTensor::kTypeName);
    SLUICE_ASSIGN(handle.object, ctx.resources().LookupOrCreate<SessionTensor>(
                                     handle.container, handle.name,
                                     [&]() -> absl::StatusOr<RefPtr<SessionTensor>> {
                                       return MakeRefCounted<SessionTensor>(std::move(value));
                                     }));
    if (as_resource)
      ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    else
      ctx.SetOutput(0, Tensor::Scalar<std::string>(std::move(handle.name)));
    return absl::OkStatus();
  }
};

struct GetSessionTensor {
  std::string container;
  DType dtype;

  static absl::StatusOr<GetSessionTensor> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string container, ContainerOf(node));
    SLUICE_ASSIGN(const DType dtype, node.Get<DType>("dtype"));
    return GetSessionTensor{std::move(container), dtype};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string handle, HandleText(ctx));
    SLUICE_ASSIGN(Tensor value, KeptTensor(ctx, container, handle));
    if (value.dtype() != dtype) {
      return InvalidArgument("the tensor with handle '", handle, "' is ", value.dtype(), ", not ",
                             dtype);
    }
    ctx.SetOutput(0, std::move(value));
    return absl::OkStatus();
  }
};

struct DeleteSessionTensor {
  std::string container;

  static absl::StatusOr<DeleteSessionTensor> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(std::string container, ContainerOf(node));
    return DeleteSessionTensor{std::move(container)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const std::string handle, HandleText(ctx));
    const absl::Status deleted =
        ctx.resources().Delete(container, SessionTensor::kTypeName, handle);
    if (deleted.ok()) return deleted;
    return InvalidArgument("Failed to delete a tensor with handle '", handle,
                           "' in the session store.");
  }
};

}  // namespace

absl::StatusOr<Tensor> KeptTensor(KernelContext& ctx, const std::string& container,
                                  const std::string& name) {
  auto kept = ctx.resources().Lookup<SessionTensor>(container, name);
  if (kept.ok()) return (*kept)->value;
  return InvalidArgument("The tensor with handle '", name, "' is not in the session store.");
}

void RegisterSessionHandles(KernelRegistry& kernels, const Primitives& on) {
  const DTypeSet types = TypesOn(on, kAnyType);
  for (auto op : {"GetSessionHandle", "GetSessionHandleV2"})
    AddOn<GetSessionHandle>(kernels, on, op, {{"T", types}}, HostMemory{"handle"}, kCheap);
  AddOn<GetSessionTensor>(kernels, on, "GetSessionTensor", {{"dtype", types}}, HostMemory{"handle"},
                          kCheap);
  AddOn<DeleteSessionTensor>(kernels, on, "DeleteSessionTensor", {}, HostMemory{"handle"}, kCheap);
}

}  // namespace sluice::kernels
