// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_INPLACE_PLAN_H_
#define SLUICE_KERNELS_COMMON_ARRAY_INPLACE_PLAN_H_

#include "core/tensor/tensor.h"

// The rules of InplaceUpdate, InplaceAdd, InplaceSub and TileGrad, on every device.

namespace sluice::kernels {

// INVALID_ARGUMENT unless row i[k] of x can take row k of v. Does not look at the elements.
absl::Status CheckInplace(const Tensor& x, const Tensor& i, const Tensor& v);
// True if an update in place may not write the memory of x: it is foreign, or a reference
// variable's.
bool NeedsCopyInPlace(const Tensor& x);

// The shape of TileGrad's result. `multiples` are in host memory.
absl::StatusOr<Shape> TileGradShape(const Shape& x, const Tensor& multiples);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_INPLACE_PLAN_H_
