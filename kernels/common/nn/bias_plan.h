// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_BIAS_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_BIAS_PLAN_H_

#include "core/status.h"
#include "core/tensor/shape.h"

namespace sluice::kernels {

// What BiasAdd and BiasAddGrad check, on every device: a tensor seen as [outer, channels, inner].
struct BiasPlan {
  int64_t outer = 1, channels = 1, inner = 1;

  static absl::StatusOr<BiasPlan> OfAdd(const Shape& in, const Shape& bias, bool channels_first);
  static absl::StatusOr<BiasPlan> OfGrad(const Shape& in, bool channels_first);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_BIAS_PLAN_H_
