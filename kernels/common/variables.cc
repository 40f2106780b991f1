// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/variables.h"

#include <optional>
#include <utility>

#include "core/runtime/device.h"

namespace sluice::kernels {

absl::StatusOr<const ResourceHandle*> HandleOf(const KernelContext& ctx, int input) {
  const Tensor& tensor = ctx.input(input);
  if (tensor.dtype() != kResource || tensor.num_elements() != 1) {
    return InvalidArgument("input ", input, " must be one resource handle, got ", tensor.dtype(),
                           " ", tensor.shape());
  }
  return &tensor.scalar<ResourceHandle>();
}

absl::StatusOr<RefPtr<ResourceVariable>> VariableOf(KernelContext& ctx, int input) {
  SLUICE_ASSIGN(const ResourceHandle* handle, HandleOf(ctx, input));
  return ctx.resources().Resolve<ResourceVariable>(*handle);
}

absl::Status CheckMemory(const KernelContext& ctx, const Tensor& value, absl::string_view what) {
  const Device* device = ctx.step().device;
  if (device == nullptr || !value.buffer() || !IsPlain(value.dtype())) return absl::OkStatus();
  if (value.buffer()->device_only() == device->allocator().device_only()) return absl::OkStatus();
  return InvalidArgument("Trying to access ", what,
                         " located in the memory of another device from ", "device ",
                         device->name());
}

absl::Status NoSuchVariable(const ResourceHandle& handle) {
  return NotFound("Resource ", handle.container, "/", handle.name, "/", ResourceVariable::kTypeName,
                  " does not exist.");
}

bool OwnsBytes(const Tensor& tensor) {
  // Memory without an allocator belongs to another object: a message or a larger tensor.
  return tensor.unique() && tensor.buffer()->allocator() != nullptr && !tensor.buffer()->guard();
}

absl::StatusOr<Tensor> CopyHere(KernelContext& ctx, const Primitives& on, const Tensor& tensor) {
  if (!IsPlain(tensor.dtype())) {  // in host memory, and never written while it is read
    if (!tensor.valid()) return tensor;
    SLUICE_ASSIGN(Tensor copy, Tensor::Allocate(CpuAllocator(), tensor.dtype(), tensor.shape()));
    SLUICE_RETURN_IF_ERROR(
        CpuPrimitives().Copy(ctx, tensor.dtype(), tensor.raw(), copy.raw(), tensor.num_elements()));
    return copy;
  }
  SLUICE_ASSIGN(Tensor copy, ctx.AllocateTemporary(tensor.dtype(), tensor.shape()));
  if (tensor.bytes() == 0) return copy;
  std::optional<absl::ReaderMutexLock> lock;
  if (const RefPtr<BufferGuard>& guard = tensor.buffer()->guard()) lock.emplace(&guard->mu);
  SLUICE_RETURN_IF_ERROR(
      on.Copy(ctx, tensor.dtype(), tensor.raw(), copy.raw(), tensor.num_elements()));
  return copy;
}

absl::StatusOr<Tensor> Kept(KernelContext& ctx, const Primitives& on, const Tensor& tensor) {
  if (tensor.buffer() && tensor.buffer()->guard()) return CopyHere(ctx, on, tensor);
  return tensor;
}

absl::Status StoreRef(KernelContext& ctx, const Primitives& on, RefVariable& variable,
                      Tensor value) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  Tensor& old = variable.value;
  if (!IsPlain(variable.dtype)) {  // elements that own memory are never written while they are read
    old = std::move(value);
    return absl::OkStatus();
  }
  const DType dtype = value.dtype();
  const int64_t n = value.num_elements();
  if (old.valid() && old.num_elements() == value.num_elements()) {
    if (n > 0 && old.raw() != value.raw())
      SLUICE_RETURN_IF_ERROR(on.Copy(ctx, dtype, value.raw(), old.raw(), n));
    if (old.shape() != value.shape()) old = Tensor(old.dtype(), value.shape(), old.buffer());
    return absl::OkStatus();
  }
  if (!OwnsBytes(value)) {
    SLUICE_ASSIGN(Tensor copy, ctx.AllocateTemporary(dtype, value.shape()));
    if (n > 0) SLUICE_RETURN_IF_ERROR(on.Copy(ctx, dtype, value.raw(), copy.raw(), n));
    value = std::move(copy);
  }
  if (value.buffer()) value.buffer()->set_guard(variable.guard);
  old = std::move(value);
  return absl::OkStatus();
}

LockedVariable::LockedVariable(RefPtr<Resource> owner, absl::Mutex* mu, Tensor* value, bool is_ref,
                               Mode mode) ABSL_NO_THREAD_SAFETY_ANALYSIS : owner_(std::move(owner)),
                                                                           mu_(mu),
                                                                           value_(value),
                                                                           is_ref_(is_ref),
                                                                           mode_(mode) {
  mode_ == kWrite ? mu_->Lock() : mu_->ReaderLock();
}

LockedVariable::LockedVariable(LockedVariable&& other) noexcept
    : owner_(std::move(other.owner_)),
      mu_(std::exchange(other.mu_, nullptr)),
      value_(other.value_),
      is_ref_(other.is_ref_),
      mode_(other.mode_) {}

LockedVariable::~LockedVariable() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (mu_ != nullptr) mode_ == kWrite ? mu_->Unlock() : mu_->ReaderUnlock();
}

absl::StatusOr<LockedVariable> LockedVariable::Lock(KernelContext& ctx, int input,
                                                    Mode mode) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  if (ctx.input_is_ref(input)) {
    RefVariable& variable = ctx.ref_input(input);
    LockedVariable locked(RefPtr<Resource>(&variable), &variable.guard->mu, &variable.value, true,
                          mode);
    if (!locked.value().valid())
      return FailedPrecondition("Attempting to use uninitialized value ", variable.name);
    SLUICE_RETURN_IF_ERROR(CheckMemory(ctx, locked.value(), Cat("variable ", variable.name)));
    return locked;
  }
  SLUICE_ASSIGN(const RefPtr<ResourceVariable> variable, VariableOf(ctx, input));
  LockedVariable locked(variable, &variable->mu, &variable->value, false, mode);
  const ResourceHandle& handle = **HandleOf(ctx, input);
  if (!locked.value().valid()) return NoSuchVariable(handle);
  SLUICE_RETURN_IF_ERROR(CheckMemory(ctx, locked.value(), Cat("resource ", handle.name)));
  return locked;
}

absl::Status LockedVariable::PrepareToWrite(KernelContext& ctx, const Primitives& on) {
  if ((is_ref_ && IsPlain(value_->dtype())) || OwnsBytes(*value_)) return absl::OkStatus();
  SLUICE_ASSIGN(*value_, CopyHere(ctx, on, *value_));
  return absl::OkStatus();
}

}  // namespace sluice::kernels
