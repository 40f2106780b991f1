// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_VARIABLES_H_
#define SLUICE_KERNELS_COMMON_VARIABLES_H_

#include "absl/functional/function_ref.h"
#include "core/runtime/kernel_context.h"
#include "core/tensor/resource.h"
#include "kernels/common/primitives.h"

// Reads and writes variables of both kinds: references (VariableV2) and resources (VarHandleOp).

namespace sluice::kernels {

// The handle in a resource input. INVALID_ARGUMENT unless it is one.
absl::StatusOr<const ResourceHandle*> HandleOf(const KernelContext& ctx, int input);
// The variable of a resource input. NOT_FOUND if it does not exist. The variable may have no value
// yet.
absl::StatusOr<RefPtr<ResourceVariable>> VariableOf(KernelContext& ctx, int input);
// INVALID_ARGUMENT if a value that kernels share lies in memory that the context's device does not
// use. A graph can lead a handle to a kernel on another device. `what` is in the error.
absl::Status CheckMemory(const KernelContext& ctx, const Tensor& value, absl::string_view what);
// The error for an op that needs the value of a resource variable that has none.
absl::Status NoSuchVariable(const ResourceHandle& handle);

// True if only the holder of `tensor` sees its bytes, so they may be written.
bool OwnsBytes(const Tensor& tensor);
// A copy in the memory of the kernel's device. For a variable's memory it is a snapshot.
absl::StatusOr<Tensor> CopyHere(KernelContext& ctx, const Primitives& on, const Tensor& tensor);
// The tensor to keep beyond the step: a copy if a variable may still write it.
absl::StatusOr<Tensor> Kept(KernelContext& ctx, const Primitives& on, const Tensor& tensor);

// Makes `value` the value of a reference variable. If it fits, it goes into the variable's memory,
// as in TensorFlow, and every alias sees it. Else the variable gets new memory with the same guard.
// REQUIRES: guard->mu is held exclusively.
absl::Status StoreRef(KernelContext& ctx, const Primitives& on, RefVariable& variable,
                      Tensor value);

// One variable input, locked. For writing, the tensor owns its bytes (a resource) or is the
// variable's memory (a reference).
//
// Errors:   FAILED_PRECONDITION or NOT_FOUND if it has no value, with the texts that programs
//           match.
class LockedVariable {
 public:
  enum Mode { kRead, kWrite };
  static absl::StatusOr<LockedVariable> Lock(KernelContext& ctx, int input, Mode mode);
  LockedVariable(LockedVariable&& other) noexcept;
  LockedVariable& operator=(LockedVariable&&) = delete;
  ~LockedVariable();

  Tensor& value() { return *value_; }
  // Copies the bytes of a resource variable if somebody else reads them. Call it after all checks.
  absl::Status PrepareToWrite(KernelContext& ctx, const Primitives& on);

 private:
  LockedVariable(RefPtr<Resource> owner, absl::Mutex* mu, Tensor* value, bool is_ref, Mode mode);

  RefPtr<Resource> owner_;
  absl::Mutex* mu_;  // null after a move
  Tensor* value_;
  bool is_ref_;
  Mode mode_;
};

// A resource of one node. It is found once, and looked up again after a Reset removed it.
template <typename T>
class CachedResource {
 public:
  absl::StatusOr<RefPtr<T>> Get(absl::FunctionRef<absl::StatusOr<RefPtr<T>>()> find) const {
    absl::MutexLock lock(&mu_);
    if (!resource_ || resource_->removed()) {
      SLUICE_ASSIGN(resource_, find());
    }
    return resource_;
  }

 private:
  mutable absl::Mutex mu_;
  mutable RefPtr<T> resource_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_VARIABLES_H_
