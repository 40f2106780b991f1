// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_DATA_FORMAT_H_
#define SLUICE_KERNELS_COMMON_NN_DATA_FORMAT_H_

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// The attribute data_format: true for NCHW and NCDHW, false for NHWC, NDHWC and ops without it.
absl::StatusOr<bool> ChannelsFirst(const NodeSpec& node);

// The sizes of a shape with its channels moved from dimension 1 to the end, and back.
// REQUIRES: rank >= 2.
absl::StatusOr<Shape> ChannelsLastShape(const Shape& shape);
absl::StatusOr<Shape> ChannelsFirstShape(const Shape& shape);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_DATA_FORMAT_H_
