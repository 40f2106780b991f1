// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_PAD_PLAN_H_
#define SLUICE_KERNELS_COMMON_ARRAY_PAD_PLAN_H_

#include "absl/container/inlined_vector.h"
#include "core/op/node_spec.h"
#include "core/tensor/tensor.h"

// Checks and results of Pad, PadV2, MirrorPad and MirrorPadGrad, common to all devices.

namespace sluice::kernels {

// Numbers of elements before and after those of one dimension.
struct Padding {
  int64_t before, after;
};
using Paddings = absl::InlinedVector<Padding, 4>;

// The paddings in a tensor [rank, 2] for an input of this shape; none is negative.
absl::StatusOr<Paddings> ReadPaddings(const Tensor& tensor, const Shape& input);
absl::StatusOr<Shape> PaddedShape(const Shape& input, const Paddings& paddings);
// The shape that was padded to `padded`.
absl::StatusOr<Shape> UnpaddedShape(const Shape& padded, const Paddings& paddings);
// INVALID_ARGUMENT unless the padding value is a scalar.
absl::Status CheckPadValue(const Shape& value);

// The node's mode: REFLECT omits the edge itself, SYMMETRIC (false) repeats it.
absl::StatusOr<bool> Reflects(const NodeSpec& node);
// INVALID_ARGUMENT if a padding is longer than the elements that it mirrors. `size` is the name of
// the inner dimensions' sizes in errors.
absl::Status CheckMirrored(const Shape& inner, const Paddings& paddings, bool reflect,
                           absl::string_view size);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_PAD_PLAN_H_
