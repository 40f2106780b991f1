// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_FORWARD_H_
#define SLUICE_KERNELS_COMMON_FORWARD_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Each output is the slot (value or reference) of the input with the same index.
struct Forward {
  // The interfaces of some ops leave it to the node whether the two agree.
  static absl::StatusOr<Forward> Create(const NodeSpec& node) {
    if (node.input_types.size() != node.output_types.size()) {
      return InvalidArgument("#inputs != #outputs : ", node.input_types.size(), " vs. ",
                             node.output_types.size());
    }
    for (size_t i = 0; i < node.input_types.size(); ++i) {
      if (RemoveRef(node.input_types[i]) != RemoveRef(node.output_types[i])) {
        return InvalidArgument("Input and output types for position ", i,
                               " do not match: ", node.input_types[i], " vs. ",
                               node.output_types[i]);
      }
    }
    return Forward{};
  }
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.ForwardSlot(i, i);
    return absl::OkStatus();
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_FORWARD_H_
