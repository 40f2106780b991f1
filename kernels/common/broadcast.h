// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_BROADCAST_H_
#define SLUICE_KERNELS_COMMON_BROADCAST_H_

#include <algorithm>
#include <array>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "core/tensor/shape.h"

namespace sluice::kernels {

constexpr int kMaxOperands = 3;
using Offsets = std::array<int64_t, kMaxOperands>;

// A BroadcastPlan broadcasts up to three operands. It has the result's dimensions. Neighbouring
// dimensions are joined where every operand steps through them with one stride. Operands of one
// shape leave one dimension; so do a scalar and any other operand.
struct BroadcastPlan {
  struct Dim {
    int64_t size;
    Offsets stride;  // in elements; 0 where the operand repeats. Innermost: 0 or 1
  };
  Shape shape;                       // the result's shape
  absl::InlinedVector<Dim, 4> dims;  // outermost first, at least one
  int operands = 0;

  int64_t inner_size() const { return dims.back().size; }
};

// INVALID_ARGUMENT "Incompatible shapes: [2] vs. [3]".
absl::StatusOr<BroadcastPlan> PlanBroadcast(absl::Span<const Shape* const> operands);
// Computes only the result's shape.
absl::StatusOr<Shape> BroadcastShape(const Shape& a, const Shape& b);

// WalkRuns for two dimensions, with little overhead for each row, because rows may be short.
template <typename Fn>
void WalkRows(const BroadcastPlan::Dim& rows, const BroadcastPlan::Dim& inner, int64_t begin,
              int64_t end, Fn fn) {
  Offsets row;  // offset of each operand's row
  for (int o = 0; o < kMaxOperands; ++o) row[o] = begin / inner.size * rows.stride[o];
  for (int64_t at = begin % inner.size; begin < end; at = 0) {
    const int64_t n = std::min(end - begin, inner.size - at);
    Offsets offsets;
    for (int o = 0; o < kMaxOperands; ++o) {
      offsets[o] = row[o] + at * inner.stride[o];
      row[o] += rows.stride[o];
    }
    fn(begin, offsets, n);
    begin += n;
  }
}

// Calls fn(result offset, operand offsets, n) for each run of the innermost dimension in the
// result's elements [begin, end).
template <typename Fn>
void WalkRuns(const BroadcastPlan& plan, int64_t begin, int64_t end, Fn fn) {
  if (begin == end) return;  // without elements, a dimension of size 0 would be a divisor
  const int rank = static_cast<int>(plan.dims.size());
  if (rank == 2) return WalkRows(plan.dims[0], plan.dims[1], begin, end, fn);
  absl::InlinedVector<int64_t, 8> at(rank);
  Offsets offsets{};
  int64_t rest = begin;
  for (int d = rank - 1; d >= 0; --d) {
    at[d] = rest % plan.dims[d].size;
    rest /= plan.dims[d].size;
    for (int o = 0; o < plan.operands; ++o) offsets[o] += at[d] * plan.dims[d].stride[o];
  }
  while (begin < end) {
    const auto& inner = plan.dims[rank - 1];
    const int64_t n = std::min(end - begin, inner.size - at[rank - 1]);
    fn(begin, offsets, n);
    begin += n;
    // Only the last run can end before the end of its row.
    for (int o = 0; o < plan.operands; ++o) offsets[o] -= at[rank - 1] * inner.stride[o];
    at[rank - 1] = 0;
    for (int d = rank - 2; d >= 0; --d) {
      const auto& dim = plan.dims[d];
      for (int o = 0; o < plan.operands; ++o) offsets[o] += dim.stride[o];
      if (++at[d] < dim.size) break;
      for (int o = 0; o < plan.operands; ++o) offsets[o] -= dim.size * dim.stride[o];
      at[d] = 0;
    }
  }
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_BROADCAST_H_
