// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/reshaped.h"

#include <limits>

#include "absl/strings/str_join.h"

namespace sluice::kernels {
namespace {

int64_t NonZeroProduct(absl::Span<const int64_t> sizes) {
  int64_t product = 1;
  for (int64_t size : sizes) {
    if (size != 0 && !MulFits(product, size, &product)) return std::numeric_limits<int64_t>::max();
  }
  return product;
}

}  // namespace

absl::StatusOr<Shape> ReshapedShape(const Shape& from, const Tensor& sizes) {
  const int64_t elements = from.num_elements();
  if (sizes.rank() != 1) return InvalidArgument("sizes input must be 1-D, not ", sizes.shape());
  // A tensor of kMaxRank dimensions exists, but TensorFlow's Reshape does not make one, nor could a
  // Python client read it.
  if (sizes.num_elements() >= kMaxRank) {
    return InvalidArgument("too many dimensions: must be < ", kMaxRank, ", but received ",
                           sizes.num_elements());
  }
  SLUICE_ASSIGN(Shape::Dims dims, IntVector(sizes));
  int unknown = -1;
  int64_t product = 1;
  for (int d = 0; d < static_cast<int>(dims.size()); ++d) {
    if (dims[d] == -1) {
      if (unknown >= 0)
        return InvalidArgument("Only one input size may be -1, not both ", unknown, " and ", d);
      unknown = d;
    } else if (dims[d] < 0) {
      return InvalidArgument("Size ", d, " must be non-negative, not ", dims[d]);
    } else if (!MulFits(product, dims[d], &product)) {
      return InvalidArgument("the requested shape [", absl::StrJoin(dims, ","),
                             "] has too many elements");
    }
  }
  if (unknown >= 0) {
    // For an empty tensor, the sizes other than 0 decide: [0, 3] as [0, -1] is [0, 3].
    int64_t left = elements;
    const bool empty = product == 0 && elements == 0;
    if (empty) {
      left = NonZeroProduct(from.dims());
      dims[unknown] = 1;
      product = NonZeroProduct(dims);
    }
    if (product != 0) {
      if (!empty && left % product != 0) {
        return InvalidArgument("Input to reshape is a tensor with ", elements,
                               " values, but the requested shape requires a multiple of ", product);
      }
      dims[unknown] = left / product;
      product = elements;
    }
  }
  if (product != elements) {
    return InvalidArgument("Input to reshape is a tensor with ", elements,
                           " values, but the requested shape has ", product);
  }
  return Shape::Create(dims);
}

}  // namespace sluice::kernels
