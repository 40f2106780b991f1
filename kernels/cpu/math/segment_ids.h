// SPDX-License-Identifier: Apache-2.0
// The numbers of segments that rows belong to, which never fall: SegmentSum and SparseSegmentSum.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "core/tensor/tensor.h"

namespace sluice::kernels {

// How many segments `ids`, a vector, makes: one more than its last element.
absl::StatusOr<int64_t> CountSegments(const Tensor& ids);

// INVALID_ARGUMENT: they fall, or one is not in [0, segments). They are looked at as TensorFlow
// does, so that of several errors the same one is told.
absl::Status CheckSegments(const Tensor& ids, int64_t segments);

}  // namespace sluice::kernels
