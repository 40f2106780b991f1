// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/image/patch_plan.h"

#include <algorithm>
#include <utility>

namespace sluice::kernels {

absl::StatusOr<PatchPlan> PatchPlan::Create(const NodeSpec& node) {
  PatchPlan made;
  SLUICE_ASSIGN(made.sizes, node.Get<std::vector<int64_t>>("ksizes"));
  SLUICE_ASSIGN(made.strides, node.Get<std::vector<int64_t>>("strides"));
  const size_t rank = node.op == "ExtractImagePatches" ? 4 : 5;
  made.rates = GetAttrOr(node.attrs, "rates", std::vector<int64_t>(rank, 1));
  SLUICE_ASSIGN(const std::string padding, node.Get<std::string>("padding"));
  made.same = padding == "SAME";
  for (const auto& [name, list] :
       {std::pair{"ksizes", &made.sizes}, {"strides", &made.strides}, {"rates", &made.rates}}) {
    if (list->size() != rank)
      return InvalidArgument(name, " must have ", rank, " numbers, not ", list->size());
    if (list->front() != 1 || list->back() != 1)
      return Unimplemented("Only support ", name, " across space.");
    for (int64_t value : *list) {
      if (value < 1 || value > INT32_MAX)
        return OutOfRange(name, " is out of range: ", value, " is not positive");
    }
  }
  return made;
}

absl::StatusOr<PatchPlan::Patches> PatchPlan::Place(const Shape& x) const {
  const auto rank = static_cast<int>(sizes.size());
  if (x.rank() != rank) return InvalidArgument("input must be ", rank, "-dimensional", x);
  Patches made;
  int64_t taps = x.dim(rank - 1);
  Shape::Dims dims = {x.dim(0)};
  for (int d = 1; d + 1 < rank; ++d) {
    SLUICE_ASSIGN(const PatchSpan span, PlaceAlong(x.dim(d), d));
    made.spans[kPatchDimensions - (rank - 1) + d] = span;
    dims.push_back(span.out);
    if (!MulFits(taps, span.size, &taps)) return InvalidArgument("patches are too large");
  }
  dims.push_back(taps);
  SLUICE_ASSIGN(made.output, Shape::Create(dims));
  return made;
}

absl::StatusOr<PatchSpan> PatchPlan::PlaceAlong(int64_t in, int d) const {
  PatchSpan span{in, sizes[d], strides[d], rates[d], 0, 0};
  const int64_t reach = (span.size - 1) * span.rate + 1;
  if (same) {
    span.out = (in + span.stride - 1) / span.stride;
    span.pad = std::max<int64_t>((span.out - 1) * span.stride + reach - in, 0) / 2;
  } else {
    // A window that exceeds the image by less than two strides gives no patches.
    span.out = (in - reach + span.stride) / span.stride;
    if (span.out < 0) {
      return InvalidArgument("Computed output size would be negative: input_size ", in,
                             ", effective filter size ", reach, ", stride ", span.stride);
    }
  }
  return span;
}

}  // namespace sluice::kernels
