// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/gather_plan.h"

#include <algorithm>
#include <utility>

#include "kernels/common/axis.h"

namespace sluice::kernels {

absl::StatusOr<GatherPlan> GatherPlan::Make(const Shape& params, const Shape& indices, int axis,
                                            int batch) {
  GatherPlan plan;
  plan.sizes.batch = ProductOf(params, 0, batch);
  plan.sizes.outer = ProductOf(params, batch, axis);
  plan.sizes.limit = params.dim(axis);
  plan.sizes.inner = ProductOf(params, axis + 1, params.rank());
  plan.sizes.picks = ProductOf(indices, batch, indices.rank());
  Shape::Dims dims(params.dims().begin(), params.dims().begin() + axis);
  dims.insert(dims.end(), indices.dims().begin() + batch, indices.dims().end());
  dims.insert(dims.end(), params.dims().begin() + axis + 1, params.dims().end());
  SLUICE_ASSIGN(plan.shape, Shape::Create(dims));
  return plan;
}

absl::StatusOr<GatherPlan> GatherPlan::MakeBatched(const Shape& params, const Shape& indices,
                                                   int batch_dims) {
  if (batch_dims < 0) batch_dims += indices.rank();
  if (batch_dims < 0 || batch_dims > indices.rank() || batch_dims >= params.rank()) {
    return InvalidArgument("batch_dims ", batch_dims, " is out of range for params ", params,
                           " and indices ", indices);
  }
  for (int i = 0; i < batch_dims; ++i) {
    if (params.dim(i) != indices.dim(i)) {
      return InvalidArgument("params.shape[", i, "]: ", params.dim(i),
                             " should be equal to indices.shape[", i, "]: ", indices.dim(i));
    }
  }
  return Make(params, indices, batch_dims, batch_dims);
}

absl::StatusOr<Shape> GatherSlicesShape(const Shape& params, const Shape& indices) {
  if (params.rank() < 1) return InvalidArgument("params must be at least a vector");
  if (indices.rank() < 1) return InvalidArgument("indices must be at least a vector");
  const int64_t depth = indices.dim(indices.rank() - 1);
  if (depth > params.rank()) {
    return InvalidArgument("index innermost dimension length must be <= params rank; saw: ", depth,
                           " vs. ", params.rank());
  }
  Shape::Dims dims(indices.dims().begin(), indices.dims().end() - 1);
  const bool picks = std::find(dims.begin(), dims.end(), 0) == dims.end();
  if (picks && params.num_elements() == 0) {
    return InvalidArgument("Requested more than 0 entries, but params is empty.  Params shape: ",
                           params);
  }
  dims.insert(dims.end(), params.dims().begin() + depth, params.dims().end());
  return Shape::Create(dims);
}

}  // namespace sluice::kernels
