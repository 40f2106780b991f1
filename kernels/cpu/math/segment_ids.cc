// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/math/segment_ids.h"

#include <limits>

#include "kernels/common/axis.h"

namespace sluice::kernels {

absl::StatusOr<int64_t> CountSegments(const Tensor& ids) {
  if (ids.num_elements() == 0) return 0;
  const int64_t last = IndexAt(ids, ids.num_elements() - 1);
  if (last >= std::numeric_limits<int64_t>::max() - 1)
    return InvalidArgument("segment id ", last, " is too large");
  return last + 1;
}

absl::Status CheckSegments(const Tensor& ids, int64_t segments) {
  const int64_t count = ids.num_elements();
  if (count > 0 && segments <= 0) return InvalidArgument("segment ids must be >= 0");
  for (int64_t i = 0; i < count; ++i) {
    const int64_t id = IndexAt(ids, i);
    const int64_t next = i + 1 < count ? IndexAt(ids, i + 1) : std::numeric_limits<int64_t>::max();
    if (next == id) continue;  // the same segment continues
    if (next < id) return InvalidArgument("segment ids are not increasing");
    if (id < 0 || id >= segments) {
      return InvalidArgument("Segment id ", id, " out of range [0, ", segments,
                             "), possibly because 'segment_ids' input is not sorted.");
    }
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
