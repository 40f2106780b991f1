// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TRAINING_TRAINING_VARIABLES_H_
#define SLUICE_KERNELS_COMMON_TRAINING_TRAINING_VARIABLES_H_

#include "core/runtime/kernel_context.h"
#include "kernels/common/training/optimizer_rule.h"

namespace sluice::kernels {

// The variables that a training op changes, held exclusively from Lock to the destruction of the
// object.
//
// References are written in place. A resource variable whose buffer is also read elsewhere gets a
// new one first.
class LockedVariables {
 public:
  LockedVariables() = default;
  LockedVariables(const LockedVariables&) = delete;
  LockedVariables& operator=(const LockedVariables&) = delete;
  ~LockedVariables();

  // Locks the first `names.size()` inputs, each mutex once and in address order. Checks that they
  // are initialised, of `dtype`, and of one shape. FAILED_PRECONDITION for a reference without a
  // value, INTERNAL for a resource.
  absl::Status Lock(KernelContext& ctx, absl::Span<const absl::string_view> names, DType dtype);
  // Makes the values writable, with copies in the context's device. Call it after all other checks.
  absl::Status PrepareToWrite(KernelContext& ctx);

  const Shape& shape() const { return entries_[0].value->shape(); }
  void* data(int i) const { return entries_[i].value->raw(); }

 private:
  struct Entry {
    RefPtr<Resource> owner;  // keeps a resource variable alive
    absl::Mutex* mu = nullptr;
    Tensor* value = nullptr;
    bool reference = false;
  };
  absl::Status Find(KernelContext& ctx, int i);

  absl::InlinedVector<Entry, kMaxTrainingVariables> entries_;
  absl::InlinedVector<absl::Mutex*, kMaxTrainingVariables> held_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TRAINING_TRAINING_VARIABLES_H_
