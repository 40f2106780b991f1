// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_TOP_K_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_TOP_K_PLAN_H_

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// The rules of TopK, TopKV2 and ApproxTopK, on every device. k and the other arguments but the input are in
// host memory.
struct TopKPlan {
  bool sorted = true;
  int64_t fixed_k = -1;  // an attribute in the first version

  struct Sizes {
    int64_t k, n;  // of the n elements of each row
    Shape output;
  };

  static absl::StatusOr<TopKPlan> Create(const NodeSpec& node);
  absl::StatusOr<Sizes> CheckInputs(const KernelContext& ctx) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_TOP_K_PLAN_H_
