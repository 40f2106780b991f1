// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_RESHAPED_H_
#define SLUICE_KERNELS_COMMON_ARRAY_RESHAPED_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// The shape that Reshape gives a tensor of shape `from`. `sizes` is in host memory; one of them may
// be -1 and is computed from the number of elements.
absl::StatusOr<Shape> ReshapedShape(const Shape& from, const Tensor& sizes);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_RESHAPED_H_
