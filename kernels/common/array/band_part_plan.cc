// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/band_part_plan.h"

namespace sluice::kernels {

absl::StatusOr<Band> Band::Make(const Shape& shape, const Tensor& num_lower,
                                const Tensor& num_upper) {
  if (shape.rank() < 2)
    return InvalidArgument("input must be at least 2-dim, received shape: ", shape);
  const int64_t rows = shape.dim(shape.rank() - 2), columns = shape.dim(shape.rank() - 1);
  if (num_lower.num_elements() != 1 || num_lower.rank() != 0)
    return InvalidArgument("num_lower must be scalar, got shape ", num_lower.shape());
  if (num_upper.num_elements() != 1 || num_upper.rank() != 0)
    return InvalidArgument("num_upper must be scalar, got shape ", num_upper.shape());
  SLUICE_ASSIGN(const int64_t lower, IntScalar(num_lower));
  SLUICE_ASSIGN(const int64_t upper, IntScalar(num_upper));
  if (lower > rows)
    return InvalidArgument("num_lower must be negative or less or equal to number of rows (", rows,
                           ") got: ", lower);
  if (upper > columns)
    return InvalidArgument("num_upper must be negative or less or equal to number of columns (",
                           columns, ") got: ", upper);
  return Band{lower, upper};
}

}  // namespace sluice::kernels
