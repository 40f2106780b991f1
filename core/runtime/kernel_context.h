// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_KERNEL_CONTEXT_H_
#define SLUICE_CORE_RUNTIME_KERNEL_CONTEXT_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "core/runtime/rendezvous.h"
#include "core/tensor/resource.h"
#include "core/tensor/tensor.h"
#include "core/threads/cancel.h"
#include "core/threads/thread_pool.h"

namespace sluice {

class Collectives;
class Device;
class FunctionCaller;  // runs bodies of functions; a higher layer provides it

// The value of an edge: a tensor, a reference to a variable, or dead.
struct Slot {
  enum class State : uint8_t { kEmpty, kValue, kRef, kDead };
  State state = State::kEmpty;
  Tensor value;             // kValue
  RefPtr<RefVariable> ref;  // kRef

  void Clear() {
    state = State::kEmpty;
    value = Tensor();
    ref.reset();
  }
};

// Common data of the kernels of one device in one step. Constant while the step runs.
struct StepContext {
  uint64_t step_id = 0;
  Device* device = nullptr;
  WorkQueue* pool = nullptr;  // intra-op; null: run inline
  Rendezvous* rendezvous = nullptr;
  ResourceStore* resources = nullptr;  // variables, queues: the worker's, or the isolated session's
  // TensorArrays, stacks: destroyed at the end of the step
  ResourceStore* step_resources = nullptr;
  CancelToken* cancel = nullptr;
  FunctionCaller* functions = nullptr;
  Collectives* collectives = nullptr;  // null: the worker has no groups
  absl::Span<const Tensor> args;  // fed values, by the index of _Arg
  absl::Span<Parcel> retvals;     // fetched values, by the index of _Retval
};

// The outputs of a node that are in host memory although its device has its own. None by default.
struct OutputMemory {
  const uint8_t* on_host = nullptr;  // by flat output index; null: none
  bool all_on_host = false;          // the inputs too: temporaries are then host memory
};

// The view of a kernel while it runs: inputs, outputs, and the step. Indices are those of the op's
// flat inputs and outputs.
//
// Threads:  one at a time.
class KernelContext {
 public:
  KernelContext(const StepContext& step, absl::Span<Slot> inputs, absl::Span<Slot> outputs,
                const DType* output_types, uint64_t frame, int64_t iteration,
                OutputMemory memory = {})
      : step_(&step),
        inputs_(inputs),
        outputs_(outputs),
        output_types_(output_types),
        frame_(frame),
        iteration_(iteration),
        memory_(memory) {}

  int num_inputs() const { return static_cast<int>(inputs_.size()); }
  int num_outputs() const { return static_cast<int>(outputs_.size()); }

  // A value input. If a reference arrives at a value input, the executor has dereferenced it.
  const Tensor& input(int i) const { return inputs_[i].value; }
  bool has_input(int i) const {
    return inputs_[i].state == Slot::State::kValue || inputs_[i].state == Slot::State::kRef;
  }
  bool input_dead(int i) const { return inputs_[i].state == Slot::State::kDead; }
  // A reference input.
  bool input_is_ref(int i) const { return inputs_[i].state == Slot::State::kRef; }
  RefVariable& ref_input(int i) const { return *inputs_[i].ref; }
  // Moves the input's tensor out (so that it may be the only reference).
  Tensor TakeInput(int i) { return std::move(inputs_[i].value); }
  // True if all inputs of the node are missing or dead. Only Send, Merge and similar ops run then.
  bool dead() const { return dead_; }
  void set_dead(bool dead) { dead_ = dead; }

  DType output_type(int i) const { return RemoveRef(output_types_[i]); }
  // An output that is not set is dead. The memory is the device's, or the host's if the kernel's
  // registration requires it (HostMemory). RESOURCE_EXHAUSTED if memory is short.
  absl::StatusOr<Tensor*> AllocateOutput(int i, const Shape& shape);
  // Reuses the memory of the first input among `candidates` that has no other reference and the
  // same dtype size and element count; else allocates. After forwarding, the input can still be
  // read through the output.
  absl::StatusOr<Tensor*> ForwardOrAllocate(std::initializer_list<int> candidates, int i,
                                            const Shape& shape);
  void SetOutput(int i, Tensor value) {
    outputs_[i].state = Slot::State::kValue;
    outputs_[i].value = std::move(value);
  }
  void SetOutputRef(int i, RefPtr<RefVariable> ref) {
    outputs_[i].state = Slot::State::kRef;
    outputs_[i].ref = std::move(ref);
  }
  void SetOutputDead(int i) { outputs_[i].state = Slot::State::kDead; }
  // The input's slot, value or reference, becomes the output.
  void ForwardSlot(int input, int output) { outputs_[output] = inputs_[input]; }
  // In the device's memory; in host memory for a kernel with all its arguments there.
  absl::StatusOr<Tensor> AllocateTemporary(DType dtype, const Shape& shape);

  const StepContext& step() const { return *step_; }
  Device& device() const { return *step_->device; }
  WorkQueue* pool() const { return step_->pool; }
  Rendezvous& rendezvous() const { return *step_->rendezvous; }
  ResourceStore& resources() const { return *step_->resources; }
  ResourceStore& step_resources() const { return *step_->step_resources; }
  CancelToken& cancel() const { return *step_->cancel; }
  uint64_t step_id() const { return step_->step_id; }
  uint64_t frame() const { return frame_; }
  int64_t iteration() const { return iteration_; }

  absl::Span<Slot> inputs() const { return inputs_; }  // for devices and the executor
  absl::Span<Slot> outputs() const { return outputs_; }

 private:
  const StepContext* step_;
  absl::Span<Slot> inputs_;
  absl::Span<Slot> outputs_;
  const DType* output_types_;
  uint64_t frame_;
  int64_t iteration_;
  OutputMemory memory_;
  bool dead_ = false;

  Allocator& MemoryOf(bool on_host) const;
  bool OnHost(int output) const { return memory_.on_host != nullptr && memory_.on_host[output]; }
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_KERNEL_CONTEXT_H_
