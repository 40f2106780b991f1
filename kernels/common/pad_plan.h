// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PAD_PLAN_H_
#define SLUICE_KERNELS_COMMON_PAD_PLAN_H_

#include "absl/container/inlined_vector.h"
#include "core/op/node_spec.h"
#include "core/tensor/tensor.h"

// What Pad, PadV2, MirrorPad and MirrorPadGrad check and answer on every device.

namespace sluice::kernels {

// Elements around those of one dimension.
struct Padding {
  int64_t before, after;
};
using Paddings = absl::InlinedVector<Padding, 4>;

// The paddings in a tensor [rank, 2] for an input of this shape; none is negative.
absl::StatusOr<Paddings> ReadPaddings(const Tensor& tensor, const Shape& input);
absl::StatusOr<Shape> PaddedShape(const Shape& input, const Paddings& paddings);
// INVALID_ARGUMENT unless the value around is a scalar.
absl::Status CheckPadValue(const Shape& value);

// The node's mode: REFLECT leaves out the edge itself, SYMMETRIC (false) repeats it.
absl::StatusOr<bool> Reflects(const NodeSpec& node);
// INVALID_ARGUMENT if a padding is longer than what it mirrors. `size` is what the error calls the
// inner dimensions.
absl::Status CheckMirrored(const Shape& inner, const Paddings& paddings, bool reflect,
                           absl::string_view size);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PAD_PLAN_H_
