// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_AXIS_H_
#define SLUICE_KERNELS_COMMON_AXIS_H_

#include "core/tensor/shape.h"
#include "core/tensor/tensor.h"

namespace sluice::kernels {

// A tensor as [outer, size, inner] around one of its axes.
struct AxisView {
  int64_t outer = 1;
  int64_t size = 1;
  int64_t inner = 1;

  // REQUIRES: 0 <= axis < rank
  AxisView(const Shape& shape, int axis) : size(shape.dim(axis)) {
    for (int d = 0; d < axis; ++d) outer *= shape.dim(d);
    for (int d = axis + 1; d < shape.rank(); ++d) inner *= shape.dim(d);
  }
};

// The product of dimensions [begin, end).
inline int64_t ProductOf(const Shape& shape, int begin, int end) {
  int64_t product = 1;
  for (int d = begin; d < end; ++d) product *= shape.dim(d);
  return product;
}

// Resolves an axis; a negative one counts from the end. Returns false unless it names one of `rank`
// axes.
inline bool NormalizeAxis(int64_t axis, int rank, int* normal) {
  if (axis < -rank || axis >= rank) return false;
  *normal = static_cast<int>(axis < 0 ? axis + rank : axis);
  return true;
}

// Dimensions [begin, end) of a shape.
inline Shape SubShape(const Shape& shape, int begin, int end) {
  Shape part;
  for (int d = begin; d < end; ++d) part.AddDim(shape.dim(d));
  return part;
}

// The shape [a..., b...]; INVALID_ARGUMENT when too large.
inline absl::StatusOr<Shape> JoinShapes(const Shape& a, const Shape& b) {
  Shape::Dims dims(a.dims().begin(), a.dims().end());
  dims.insert(dims.end(), b.dims().begin(), b.dims().end());
  return Shape::Create(dims);
}

// "[2,0]", the position of a flat index in a tensor of this shape; "" in a scalar. For error texts.
std::string PositionText(const Shape& shape, int64_t flat);

// One element of an index tensor (int8 to int64, uint8, uint16).
int64_t IndexAt(const Tensor& indices, int64_t at);

// Since 2.x, Concat, Fill and Range accept a vector of one element in place of a scalar.
inline bool IsScalarLike(const Tensor& tensor, bool as_in_1x) {
  return tensor.rank() == 0 || (!as_in_1x && tensor.rank() == 1 && tensor.dim(0) == 1);
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_AXIS_H_
