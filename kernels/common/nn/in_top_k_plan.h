// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_IN_TOP_K_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_IN_TOP_K_PLAN_H_

#include "core/op/node_spec.h"
#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// What InTopK and InTopKV2 check, on every device.
struct InTopKPlan {
  int64_t fixed_k = -1;  // of InTopK; InTopKV2 has an input, in host memory

  static absl::StatusOr<InTopKPlan> Create(const NodeSpec& node);
  // k. INVALID_ARGUMENT unless there is one target for each row of the predictions.
  absl::StatusOr<int64_t> CheckInputs(const KernelContext& ctx) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_IN_TOP_K_PLAN_H_
