// SPDX-License-Identifier: Apache-2.0
// Segment numbers of rows, which never fall: SegmentSum and SparseSegmentSum.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/tensor/tensor.h"

namespace sluice::kernels {

// The number of segments of `ids`, a vector: one more than its last element.
absl::StatusOr<int64_t> CountSegments(const Tensor& ids);

// INVALID_ARGUMENT if they fall, or one is not in [0, segments). They are checked in TensorFlow's
// order, so that of several errors the same one is reported.
absl::Status CheckSegments(const Tensor& ids, int64_t segments);

}  // namespace sluice::kernels
