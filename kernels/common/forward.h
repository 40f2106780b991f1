// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_FORWARD_H_
#define SLUICE_KERNELS_COMMON_FORWARD_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Each output is the slot (value or reference) of the input with the same index.
struct Forward {
  absl::Status Run(KernelContext& ctx) const {
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.ForwardSlot(i, i);
    return absl::OkStatus();
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_FORWARD_H_
