// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/pad_plan.h"

#include <string>

namespace sluice::kernels {

absl::StatusOr<Paddings> ReadPaddings(const Tensor& tensor, const Shape& input) {
  const int rank = input.rank();
  if (tensor.rank() != 2 || tensor.dim(1) != 2)
    return InvalidArgument("paddings must be a matrix with 2 columns: ", tensor.shape());
  if (tensor.dim(0) != rank) {
    return InvalidArgument("The first dimension of paddings must be the rank of inputs",
                           tensor.shape(), " ", input);
  }
  SLUICE_ASSIGN(Shape::Dims values, IntVector(tensor));
  Paddings paddings(rank);
  for (int d = 0; d < rank; ++d) {
    paddings[d] = {values[2 * d], values[2 * d + 1]};
    if (paddings[d].before < 0 || paddings[d].after < 0) {
      return InvalidArgument("Paddings must be non-negative: ", paddings[d].before, " ",
                             paddings[d].after);
    }
  }
  return paddings;
}

absl::StatusOr<Shape> PaddedShape(const Shape& input, const Paddings& paddings) {
  Shape::Dims sizes(input.rank());
  for (int d = 0; d < input.rank(); ++d) {
    if (!AddFits(input.dim(d), paddings[d].before, &sizes[d]) ||
        !AddFits(sizes[d], paddings[d].after, &sizes[d])) {
      return InvalidArgument("padded size overflows in dimension ", d);
    }
  }
  return Shape::Create(sizes);
}

absl::StatusOr<Shape> UnpaddedShape(const Shape& padded, const Paddings& paddings) {
  Shape::Dims sizes(padded.rank());
  for (int d = 0; d < padded.rank(); ++d) {
    sizes[d] = padded.dim(d) - paddings[d].before;  // cannot overflow: neither is negative
    sizes[d] = sizes[d] < paddings[d].after ? -1 : sizes[d] - paddings[d].after;
    if (sizes[d] < 0) {
      return InvalidArgument("paddings ", paddings[d].before, ", ", paddings[d].after,
                             " exceed dimension ", d, " of ", padded);
    }
  }
  return Shape::Create(sizes);
}

absl::Status CheckPadValue(const Shape& value) {
  if (value.rank() == 0) return absl::OkStatus();
  return InvalidArgument("constant_values must be a scalar. Found: ", value);
}

absl::StatusOr<bool> Reflects(const NodeSpec& node) {
  SLUICE_ASSIGN(std::string mode, node.Get<std::string>("mode"));
  if (mode != "REFLECT" && mode != "SYMMETRIC")
    return InvalidArgument("mode must be either REFLECT or SYMMETRIC, not ", mode);
  return mode == "REFLECT";
}

absl::Status CheckMirrored(const Shape& inner, const Paddings& paddings, bool reflect,
                           absl::string_view size) {
  for (int d = 0; d < inner.rank(); ++d) {
    const int64_t n = inner.dim(d), most = n - (reflect ? 1 : 0);
    if (paddings[d].before <= most && paddings[d].after <= most) continue;
    return InvalidArgument("paddings must be ", reflect ? "less than" : "no greater than", " the ",
                           size, ": ", paddings[d].before, ", ", paddings[d].after,
                           reflect ? " not less than " : " greater than ", n);
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
