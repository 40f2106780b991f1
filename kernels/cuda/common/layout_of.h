// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_LAYOUT_OF_H_
#define SLUICE_KERNELS_CUDA_COMMON_LAYOUT_OF_H_

#include "kernels/common/broadcast.h"
#include "kernels/cuda/common/layout.h"

namespace sluice::kernels {

// A plan in the form for a kernel.
// REQUIRES: plan.operands <= kOperands, and the result is not empty
template <int kOperands>
cuda::Layout<kOperands> LayoutOf(const BroadcastPlan& plan) {
  cuda::Layout<kOperands> layout;
  for (auto dim = plan.dims.rbegin(); dim != plan.dims.rend(); ++dim) {
    int64_t stride[kOperands];
    for (int o = 0; o < kOperands; ++o) stride[o] = dim->stride[o];
    layout.AddDim(dim->size, stride);
  }
  return layout;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_LAYOUT_OF_H_
