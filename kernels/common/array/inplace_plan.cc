// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/inplace_plan.h"

#include "kernels/common/axis.h"

namespace sluice::kernels {

absl::Status CheckInplace(const Tensor& x, const Tensor& i, const Tensor& v) {
  if (i.rank() != 1) return InvalidArgument("i must be a vector. ", i.shape());
  if (x.rank() != v.rank() || x.rank() == 0)
    return InvalidArgument("x and v shape doesn't match (ranks differ): ", x.shape(), " vs. ",
                           v.shape());
  for (int d = 1; d < x.rank(); ++d) {
    if (x.dim(d) != v.dim(d))
      return InvalidArgument("x and v shape doesn't match at index ", d, " : ", x.shape(), " vs. ",
                             v.shape());
  }
  if (i.dim(0) != v.dim(0)) {
    return InvalidArgument("i and x shape doesn't match at index 0: ", i.shape(), " vs. ",
                           v.shape());
  }
  if (x.dim(0) == 0 && v.dim(0) > 0) return InvalidArgument("x has no rows to update");
  return absl::OkStatus();
}

bool NeedsCopyInPlace(const Tensor& x) {
  return !x.buffer() || x.buffer()->allocator() == nullptr || x.buffer()->guard();
}

absl::StatusOr<Shape> TileGradShape(const Shape& x, const Tensor& multiples_tensor) {
  SLUICE_ASSIGN(const Shape::Dims multiples, IntVector(multiples_tensor));
  if (multiples_tensor.rank() != 1 || static_cast<int>(multiples.size()) != x.rank()) {
    return InvalidArgument("Expected multiples argument to be a vector of length ", x.rank(),
                           " but got length ", multiples.size());
  }
  Shape::Dims sizes;
  for (int d = 0; d < x.rank(); ++d) {
    if (multiples[d] <= 0 || x.dim(d) % multiples[d] != 0) {
      return InvalidArgument("Expected input_dim to be divisible by multiples[", d, "] > 0, ",
                             "but got ", x.dim(d), " and ", multiples[d]);
    }
    sizes.push_back(x.dim(d) / multiples[d]);
  }
  return Shape::Create(sizes);
}

}  // namespace sluice::kernels
