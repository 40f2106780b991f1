// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/kernel_context.h"

#include "core/runtime/device.h"
#include "core/tensor/temporary_bytes.h"

namespace sluice {
namespace {

// Whether `input` may be overwritten as an output of that type. Only memory that we would allocate
// qualifies: a borrowed or sliced buffer has another owner, and one with a guard belongs to a
// variable.
bool Reusable(const Tensor& input, DType dtype, int64_t elements, const Allocator& memory) {
  if (!input.unique() || input.num_elements() != elements) return false;
  const bool fits =
      input.dtype() == dtype || (IsPlain(dtype) && SizeOf(input.dtype()) == SizeOf(dtype));
  const Allocator* wanted = IsPlain(dtype) ? &memory : &CpuAllocator();
  return fits && input.buffer()->allocator() == wanted && !input.buffer()->guard();
}

}  // namespace

Allocator& KernelContext::MemoryOf(bool on_host) const {
  if (step_->device == nullptr) return CpuAllocator();
  return on_host ? step_->device->host_allocator() : step_->device->allocator();
}

absl::StatusOr<Tensor*> KernelContext::AllocateOutput(int i, const Shape& shape) {
  const DType dtype = output_type(i);
  RefPtr<Buffer> buffer = Buffer::Allocate(MemoryOf(OnHost(i)), dtype, shape.num_elements());
  if (!buffer) {
    return ResourceExhausted("OOM when allocating tensor with shape", shape, " and type ", dtype,
                             " for output ", i,
                             MemoryOf(OnHost(i)).Shortage(shape.num_elements(), SizeOf(dtype)));
  }
  Slot& slot = outputs_[i];
  slot.state = Slot::State::kValue;
  slot.value = Tensor(dtype, shape, std::move(buffer));
  return &slot.value;
}

absl::StatusOr<Tensor*> KernelContext::ForwardOrAllocate(std::initializer_list<int> candidates,
                                                         int i, const Shape& shape) {
  const DType dtype = output_type(i);
  const Allocator& memory = MemoryOf(OnHost(i));
  for (int candidate : candidates) {
    const Slot& slot = inputs_[candidate];
    if (slot.state != Slot::State::kValue) continue;
    if (!Reusable(slot.value, dtype, shape.num_elements(), memory)) continue;
    outputs_[i].state = Slot::State::kValue;
    outputs_[i].value = Tensor(dtype, shape, slot.value.buffer().Twin());
    return &outputs_[i].value;
  }
  return AllocateOutput(i, shape);
}

absl::StatusOr<Tensor> KernelContext::AllocateTemporary(DType dtype, const Shape& shape) {
  SLUICE_ASSIGN(Tensor temporary, Tensor::Allocate(MemoryOf(memory_.all_on_host), dtype, shape));
  TemporaryBytesOfThread() += temporary.bytes();
  return temporary;
}

size_t& TemporaryBytesOfThread() {
  thread_local size_t bytes = 0;
  return bytes;
}

}  // namespace sluice
