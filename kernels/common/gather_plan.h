// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_GATHER_PLAN_H_
#define SLUICE_KERNELS_COMMON_GATHER_PLAN_H_

#include <cstdint>

#include "core/tensor/shape.h"

namespace sluice::kernels {

// The layout of Gather's operands: params are [batch, outer, limit, inner], indices [batch, picks],
// the result is [batch, outer, picks, inner].
struct GatherSizes {
  int64_t batch = 1, outer = 1, limit = 0, inner = 1, picks = 1;
};

struct GatherPlan {
  GatherSizes sizes;
  Shape shape;  // of the result

  // Rows along `axis`. The first `batch` dimensions are common to both.
  // REQUIRES: batch <= axis < rank of params; batch <= rank of indices.
  static absl::StatusOr<GatherPlan> Make(const Shape& params, const Shape& indices, int axis,
                                         int batch);
  // Rows along dimension `batch_dims`; a negative one counts from the end of the indices.
  static absl::StatusOr<GatherPlan> MakeBatched(const Shape& params, const Shape& indices,
                                                int batch_dims);
};

// The shape of params[indices[..., :]].
absl::StatusOr<Shape> GatherSlicesShape(const Shape& params, const Shape& indices);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_GATHER_PLAN_H_
