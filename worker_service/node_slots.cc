// SPDX-License-Identifier: Apache-2.0
#include "worker_service/node_slots.h"

#include "absl/synchronization/mutex.h"

namespace sluice::worker {
namespace {

Tensor Unassigned(const RefVariable& variable) {
  auto shape = variable.declared_shape.ToShape();
  return {variable.dtype, shape.ok() ? *shape : Shape(), nullptr};
}

}  // namespace

std::vector<const void*> AddressesOf(absl::Span<const Slot> slots) {
  std::vector<const void*> addresses;
  for (const Slot& slot : slots) {
    if (slot.state == Slot::State::kValue) addresses.push_back(slot.value.raw());
  }
  return addresses;
}

absl::Status LoadReferences(const Executable& exec, const ExecNode& node, absl::Span<Slot> inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Slot& slot = inputs[i];
    if (slot.state != Slot::State::kRef) continue;
    const bool wants_ref = IsRef(exec.types[node.first_type + i]);
    if (wants_ref && node.allows_uninitialized) continue;
    const RefPtr<RefVariable> variable = slot.ref;
    absl::ReaderMutexLock lock(&variable->guard->mu);
    const bool initialized = variable->value.valid();
    if (!initialized && !node.reads_uninitialized)
      return FailedPrecondition("Attempting to use uninitialized value ", variable->name);
    if (wants_ref) continue;
    slot.value = initialized ? variable->value : Unassigned(*variable);
    slot.ref.reset();
    slot.state = Slot::State::kValue;
  }
  return absl::OkStatus();
}

}  // namespace sluice::worker
