// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_BAND_PART_PLAN_H_
#define SLUICE_KERNELS_COMMON_ARRAY_BAND_PART_PLAN_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// The diagonals of a matrix that MatrixBandPart keeps; a negative number keeps all.
struct Band {
  int64_t lower, upper;

  // For matrices in a tensor of this shape. The numbers are on the host.
  static absl::StatusOr<Band> Make(const Shape& shape, const Tensor& num_lower,
                                   const Tensor& num_upper);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_BAND_PART_PLAN_H_
