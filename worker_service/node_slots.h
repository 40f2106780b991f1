// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_NODE_SLOTS_H_
#define SLUICE_WORKER_SERVICE_NODE_SLOTS_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "core/runtime/kernel_context.h"
#include "core/status.h"
#include "worker_service/executable.h"

// The slots of one node (its inputs and outputs), and the execution of nodes that only move slots.

namespace sluice::worker {

inline bool IsLive(const Slot& slot) {
  return slot.state == Slot::State::kValue || slot.state == Slot::State::kRef;
}

// An input whose memory became the output's; usually both references belong to this thread.
inline void DropForwarded(absl::Span<Slot> inputs, absl::Span<const Slot> outputs) {
  if (outputs.empty() || !outputs[0].value.buffer()) return;
  for (Slot& slot : inputs) {
    if (slot.value.buffer() == outputs[0].value.buffer()) return slot.value.DropTwin();
  }
}

inline void ClearAll(absl::Span<Slot> slots) {
  for (Slot& slot : slots) {
    if (slot.state != Slot::State::kEmpty) slot.Clear();
  }
}

std::vector<const void*> AddressesOf(absl::Span<const Slot> slots);

// Reads a reference that arrives at a value input. An uninitialised variable is an error, except
// for kernels that check for it.
absl::Status LoadReferences(const Executable& exec, const ExecNode& node, absl::Span<Slot> inputs);

inline void ForwardOutputs(Slot& from, Slot& to) { to = std::move(from); }

// `pred` is in host memory.
inline absl::Status RunSwitch(const Tensor& pred, Slot& data, absl::Span<Slot> outputs) {
  if (pred.dtype() != kBool || pred.rank() != 0) {
    return InvalidArgument("The second input must be a scalar, but it has shape ", pred.shape(),
                           " and type ", pred.dtype());
  }
  ForwardOutputs(data, outputs[pred.scalar<bool>() ? 1 : 0]);
  return absl::OkStatus();
}

inline absl::Status RunMerge(absl::Span<Slot> inputs, absl::Span<Slot> outputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].state != Slot::State::kValue && inputs[i].state != Slot::State::kRef) continue;
    ForwardOutputs(inputs[i], outputs[0]);
    if (outputs.size() > 1) {
      outputs[1].value = Tensor::Scalar<int32_t>(static_cast<int32_t>(i));
      outputs[1].state = Slot::State::kValue;
    }
    return absl::OkStatus();
  }
  return Internal("a Merge ran without a live input");
}

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_NODE_SLOTS_H_
