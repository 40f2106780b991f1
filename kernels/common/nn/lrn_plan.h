// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_LRN_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_LRN_PLAN_H_

#include "core/runtime/kernel.h"
#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// The rules of LRN and LRNGrad, on every device.
struct LrnPlan {
  int64_t radius;
  float bias, alpha, beta;

  static absl::StatusOr<LrnPlan> Create(const NodeSpec& node);
  static absl::Status CheckInput(const KernelContext& ctx);
  static absl::Status CheckGradients(const KernelContext& ctx);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_LRN_PLAN_H_
