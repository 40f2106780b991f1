// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/axis.h"

#include "absl/strings/str_cat.h"

namespace sluice::kernels {

std::string PositionText(const Shape& shape, int64_t flat) {
  std::string text;
  for (int d = shape.rank() - 1; d >= 0; --d) {
    text = absl::StrCat(flat % shape.dim(d), text.empty() ? "" : ",", text);
    flat /= shape.dim(d);
  }
  return text.empty() ? text : absl::StrCat("[", text, "]");
}

int64_t IndexAt(const Tensor& indices, int64_t at) {
  switch (indices.dtype()) {
    case kInt8:
      return indices.data<int8_t>()[at];
    case kUint8:
      return indices.data<uint8_t>()[at];
    case kInt16:
      return indices.data<int16_t>()[at];
    case kUint16:
      return indices.data<uint16_t>()[at];
    case kInt32:
      return indices.data<int32_t>()[at];
    default:
      return indices.data<int64_t>()[at];
  }
}

}  // namespace sluice::kernels
