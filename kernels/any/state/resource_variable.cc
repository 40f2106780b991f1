// SPDX-License-Identifier: Apache-2.0
// Resource variables: handles, reading, assignment, gathering. state.cc has additions and scatters.
#include "core/runtime/device.h"
#include "kernels/any/state/register.h"
#include "kernels/common/variables.h"

namespace sluice::kernels {
namespace {

// The variable is made with its handle, without a value, so that the handle finds it without a
// search. Until it is assigned, it behaves as if it did not exist.
struct VarHandle {
  DType dtype;
  PartialShape shape;
  std::string container, name;
  CachedResource<ResourceVariable> cached;

  static absl::StatusOr<std::unique_ptr<VarHandle>> Create(const NodeSpec& node) {
    auto handle = std::make_unique<VarHandle>();
    SLUICE_ASSIGN(handle->dtype, node.Get<DType>("dtype"));
    SLUICE_ASSIGN(handle->shape, node.Get<PartialShape>("shape"));
    handle->container = GetAttrOr(node.attrs, "container", std::string());
    handle->name = GetAttrOr(node.attrs, "shared_name", std::string());
    if (handle->container.empty())
      handle->container = std::string(ResourceStore::kDefaultContainer);
    if (handle->name.empty()) handle->name = node.name;
    return handle;
  }

  absl::Status Run(KernelContext& ctx) const {
    ResourceHandle handle;
    SLUICE_ASSIGN(handle.object, cached.Get([&] { return Find(ctx); }));
    handle.device = ctx.device().name();
    handle.container = container;
    handle.name = name;
    handle.type_name = std::string(ResourceVariable::kTypeName);
    handle.dtypes_and_shapes = {{dtype, shape}};
    ctx.SetOutput(0, Tensor::Scalar<ResourceHandle>(std::move(handle)));
    return absl::OkStatus();
  }

  absl::StatusOr<RefPtr<ResourceVariable>> Find(KernelContext& ctx) const {
    auto create = [&]() -> absl::StatusOr<RefPtr<ResourceVariable>> {
      return MakeRefCounted<ResourceVariable>(dtype);
    };
    SLUICE_ASSIGN(auto variable,
                  ctx.resources().LookupOrCreate<ResourceVariable>(container, name, create));
    if (variable->dtype == dtype) return variable;
    {
      absl::ReaderMutexLock lock(&variable->mu);
      if (variable->value.valid()) return variable;  // a read or an assignment reports the error
    }
    // It has no value yet: the declaration of another graph does not bind this one.
    (void)ctx.resources().Delete(container, ResourceVariable::kTypeName, name);
    return ctx.resources().LookupOrCreate<ResourceVariable>(container, name, create);
  }
};

struct ReadVariable {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx, 0));
    const absl::Status status = Read(ctx, *handle);
    if (!absl::IsNotFound(status)) return status;
    return FailedPrecondition("Error while reading resource variable ", handle->name,
                              " from Container: ", handle->container,
                              ". This could mean that the variable was uninitialized. Not found: ",
                              status.message(), " (Could not find variable ", handle->name, ".)");
  }
  static absl::Status Read(KernelContext& ctx, const ResourceHandle& handle) {
    SLUICE_ASSIGN(const auto variable, ctx.resources().Resolve<ResourceVariable>(handle));
    absl::ReaderMutexLock lock(&variable->mu);
    if (!variable->value.valid()) return NoSuchVariable(handle);
    if (variable->dtype != ctx.output_type(0)) {
      return InvalidArgument("Trying to read variable with wrong dtype. Expected ",
                             ctx.output_type(0), " got ", variable->dtype);
    }
    SLUICE_RETURN_IF_ERROR(CheckMemory(ctx, variable->value, Cat("resource ", handle.name)));
    ctx.SetOutput(0, variable->value);
    return absl::OkStatus();
  }
};

struct AssignVariable {
  bool validate_shape;
  const Primitives* on = nullptr;

  static absl::StatusOr<AssignVariable> Create(const NodeSpec& node) {
    return AssignVariable{GetAttrOr(node.attrs, "validate_shape", false)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx, 0));
    SLUICE_ASSIGN(const Tensor value, Stable(ctx, ctx.TakeInput(1)));
    SLUICE_ASSIGN(const auto variable, FindOrMake(ctx, *handle, value.dtype()));
    Tensor old;  // freed after the lock is released
    absl::MutexLock lock(&variable->mu);
    if (variable->dtype != value.dtype()) {
      return InvalidArgument("Trying to assign variable with wrong dtype. Expected ",
                             variable->dtype, " got ", value.dtype());
    }
    if (validate_shape && variable->value.valid() && variable->value.shape() != value.shape()) {
      return InvalidArgument("Trying to assign to variable with tensor with wrong shape. Expected ",
                             variable->value.shape(), " got ", value.shape());
    }
    old = std::exchange(variable->value, value);
    return absl::OkStatus();
  }

  // Bytes that do not change, and are not part of a larger buffer.
  absl::StatusOr<Tensor> Stable(KernelContext& ctx, Tensor value) const {
    const RefPtr<Buffer>& buffer = value.buffer();
    const bool shared =
        buffer && (buffer->guard() || (buffer->allocator() == nullptr && IsPlain(value.dtype())));
    return shared ? CopyHere(ctx, *on, value) : std::move(value);
  }
  static absl::StatusOr<RefPtr<ResourceVariable>> FindOrMake(KernelContext& ctx,
                                                             const ResourceHandle& handle,
                                                             DType dtype) {
    auto found = ctx.resources().Resolve<ResourceVariable>(handle);
    if (!absl::IsNotFound(found.status())) return found;
    return ctx.resources().LookupOrCreate<ResourceVariable>(
        handle.container, handle.name, [&]() -> absl::StatusOr<RefPtr<ResourceVariable>> {
          return MakeRefCounted<ResourceVariable>(dtype);
        });
  }
};

struct VarIsInitialized {
  absl::Status Run(KernelContext& ctx) const {
    const auto locked = LockedVariable::Lock(ctx, 0, LockedVariable::kRead);
    if (!locked.ok() && !absl::IsNotFound(locked.status())) return locked.status();
    ctx.SetOutput(0, Tensor::Scalar<bool>(locked.ok()));
    return absl::OkStatus();
  }
};

struct VariableShape {
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kRead));
    const auto dims = variable.value().shape().dims();
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, Shape{static_cast<int64_t>(dims.size())}));
    return VisitDType(IndexTypes{}, ctx.output_type(0), [&]<typename T>(Type<T>) {
      std::copy(dims.begin(), dims.end(), output->mutable_data<T>());
      return absl::OkStatus();
    });
  }
};

struct DestroyResource {
  bool ignore_missing;

  static absl::StatusOr<DestroyResource> Create(const NodeSpec& node) {
    return DestroyResource{GetAttrOr(node.attrs, "ignore_lookup_error", true)};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx, 0));
    const absl::Status status = Delete(ctx.resources(), *handle);
    return ignore_missing && absl::IsNotFound(status) ? absl::OkStatus() : status;
  }
  static absl::Status Delete(ResourceStore& resources, const ResourceHandle& handle) {
    if (handle.type_name == ResourceVariable::kTypeName) {
      SLUICE_ASSIGN(const auto variable, resources.Resolve<ResourceVariable>(handle));
      absl::ReaderMutexLock lock(&variable->mu);
      if (!variable->value.valid()) return NoSuchVariable(handle);
    }
    return resources.Delete(handle.container, handle.type_name, handle.name);
  }
};

// The lock is held while rows are copied. With a reference to the buffer instead, a writer would
// have to copy the whole variable.
struct ResourceGather {
  int batch_dims;
  const Primitives* on = nullptr;

  static absl::StatusOr<ResourceGather> Create(const NodeSpec& node) {
    return ResourceGather{static_cast<int>(GetAttrOr<int64_t>(node.attrs, "batch_dims", 0))};
  }
  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kRead));
    const Tensor& params = variable.value();
    const Tensor& indices = ctx.input(1);
    if (params.dtype() != ctx.output_type(0)) return WrongDType(ctx, params);
    if (params.rank() < 1) return InvalidArgument("params must be at least 1 dimensional");
    SLUICE_ASSIGN(const GatherPlan plan,
                  GatherPlan::MakeBatched(params.shape(), indices.shape(), batch_dims));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, plan.shape));
    return on->GatherRows(ctx, params, indices, plan.sizes, *output);
  }
  static absl::Status WrongDType(const KernelContext& ctx, const Tensor& params) {
    return InvalidArgument("Trying to read variable with wrong dtype. Expected ",
                           ctx.output_type(0), " got ", params.dtype());
  }
};

struct ResourceGatherNd {
  const Primitives* on = nullptr;

  absl::Status Run(KernelContext& ctx) const {
    SLUICE_ASSIGN(LockedVariable variable, LockedVariable::Lock(ctx, 0, LockedVariable::kRead));
    const Tensor& params = variable.value();
    if (params.dtype() != ctx.output_type(0)) return ResourceGather::WrongDType(ctx, params);
    SLUICE_ASSIGN(const Shape shape, GatherSlicesShape(params.shape(), ctx.input(1).shape()));
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    return on->GatherSlices(ctx, params, ctx.input(1), /*ignore_bad=*/false, *output);
  }
};

struct DisableCopyOnRead {  // reads never copy here
  absl::Status Run(KernelContext&) const { return absl::OkStatus(); }
};

}  // namespace

void RegisterResourceVariables(KernelRegistry& kernels, const Primitives& on) {
  const auto typed = [&](const char* attr) { return AnyButInt32On(on, attr); };
  AddOn<VarHandle>(kernels, on, "VarHandleOp", typed("dtype"), HostMemory{"resource"}, kCheap);
  AddOn<ReadVariable>(kernels, on, "ReadVariableOp", typed("dtype"), HostMemory{"resource"},
                      kCheap);
  AddOn<AssignVariable>(kernels, on, "AssignVariableOp", typed("dtype"), HostMemory{"resource"});
  AddOn<VarIsInitialized>(kernels, on, "VarIsInitializedOp", {},
                          HostMemory{"resource", "is_initialized"}, kCheap);
  AddOn<VariableShape>(kernels, on, "VariableShape", {}, HostMemory{"input", "output"}, kCheap);
  AddOn<DestroyResource>(kernels, on, "DestroyResourceOp", {}, HostMemory{"resource"}, kCheap);
  std::vector<TypeConstraint> gathered = typed("dtype");
  gathered.push_back({"Tindices", kIndex});
  AddOn<ResourceGather>(kernels, on, "ResourceGather", gathered, HostMemory{"resource"});
  AddOn<ResourceGatherNd>(kernels, on, "ResourceGatherNd", gathered, HostMemory{"resource"});
  AddOn<DisableCopyOnRead>(kernels, on, "DisableCopyOnRead", {}, HostMemory{"resource"}, kCheap);
}

}  // namespace sluice::kernels
