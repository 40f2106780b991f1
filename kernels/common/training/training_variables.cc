// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/training/training_variables.h"

#include <algorithm>
#include <functional>

#include "core/runtime/device.h"

namespace sluice::kernels {

LockedVariables::~LockedVariables() ABSL_NO_THREAD_SAFETY_ANALYSIS {
  for (absl::Mutex* mu : held_) mu->Unlock();
}

absl::Status LockedVariables::Find(KernelContext& ctx, int i) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  Entry entry;
  if (ctx.input_is_ref(i)) {
    RefVariable& variable = ctx.ref_input(i);
    entry.mu = &variable.guard->mu;
    entry.value = &variable.value;
    entry.reference = true;
  } else {
    const Tensor& handle = ctx.input(i);
    if (handle.dtype() != kResource || handle.num_elements() != 1) {
      return InvalidArgument("input ", i, " must be a variable");
    }
    auto found = ctx.resources().Resolve<ResourceVariable>(handle.scalar<ResourceHandle>());
    if (!found.ok()) return Internal("Invalid variable reference.");
    ResourceVariable& variable = **found;
    entry.owner = *found;
    entry.mu = &variable.mu;
    entry.value = &variable.value;
  }
  entries_.push_back(std::move(entry));
  return absl::OkStatus();
}

absl::Status LockedVariables::Lock(KernelContext& ctx, absl::Span<const absl::string_view> names,
                                   DType dtype) ABSL_NO_THREAD_SAFETY_ANALYSIS {
  const int count = static_cast<int>(names.size());
  for (int i = 0; i < count; ++i) SLUICE_RETURN_IF_ERROR(Find(ctx, i));
  // All ops use one order, so that two ops with common variables cannot wait for each other.
  for (const Entry& entry : entries_) held_.push_back(entry.mu);
  std::sort(held_.begin(), held_.end(), std::less<>());
  held_.erase(std::unique(held_.begin(), held_.end()), held_.end());
  for (absl::Mutex* mu : held_) mu->Lock();
  for (int i = 0; i < count; ++i) {
    const Tensor& value = *entries_[i].value;
    if (!value.valid()) {
      if (!entries_[i].reference) return Internal("Invalid variable reference.");
      return FailedPrecondition("Attempting to use uninitialized value ", ctx.ref_input(i).name);
    }
    if (value.dtype() != dtype) {
      return InvalidArgument(names[i], " has dtype ", value.dtype(), ", the op updates ", dtype);
    }
    if (!(value.shape() == shape())) {
      return InvalidArgument(names[0], " and ", names[i], " do not have the same shape", shape(),
                             " ", value.shape());
    }
  }
  return absl::OkStatus();
}

absl::Status LockedVariables::PrepareToWrite(KernelContext& ctx) {
  for (const Entry& entry : entries_) {
    if (entry.reference || entry.value->unique()) continue;
    SLUICE_ASSIGN(*entry.value, ctx.device().CopyWithin(*entry.value));
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
