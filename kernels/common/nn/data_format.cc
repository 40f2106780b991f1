// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/data_format.h"

#include <algorithm>

namespace sluice::kernels {

absl::StatusOr<bool> ChannelsFirst(const NodeSpec& node) {
  if (!node.attrs.contains("data_format")) return false;
  SLUICE_ASSIGN(const auto format, node.Get<std::string>("data_format"));
  for (absl::string_view first : {"NCHW", "NCDHW"}) {
    if (first == format) return true;
  }
  for (absl::string_view last : {"NHWC", "NDHWC"}) {
    if (last == format) return false;
  }
  return InvalidArgument("Invalid data format ", format);
}

absl::StatusOr<Shape> ChannelsLastShape(const Shape& shape) {
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  std::rotate(dims.begin() + 1, dims.begin() + 2, dims.end());
  return Shape::Create(dims);
}

absl::StatusOr<Shape> ChannelsFirstShape(const Shape& shape) {
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  std::rotate(dims.begin() + 1, dims.end() - 1, dims.end());
  return Shape::Create(dims);
}

}  // namespace sluice::kernels
