// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/broadcast.h"

namespace sluice::kernels {
namespace {

// The size that `shape`, aligned at the right, has in dimension `d` of a result of rank `rank`.
int64_t AlignedSize(const Shape& shape, int rank, int d) {
  const int own = d - (rank - shape.rank());
  return own < 0 ? 1 : shape.dim(own);
}

absl::Status Incompatible(absl::Span<const Shape* const> operands) {
  std::string text = "Incompatible shapes: ";
  for (size_t i = 0; i < operands.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : " vs. ", operands[i]->ToString());
  }
  return InvalidArgument(text);
}

absl::StatusOr<Shape> ResultShape(absl::Span<const Shape* const> operands) {
  int rank = 0;
  for (const Shape* shape : operands) rank = std::max(rank, shape->rank());
  Shape::Dims sizes(rank, 1);
  for (int d = 0; d < rank; ++d) {
    for (const Shape* shape : operands) {
      const int64_t size = AlignedSize(*shape, rank, d);
      if (size == 1 || size == sizes[d]) continue;
      if (sizes[d] != 1) return Incompatible(operands);
      sizes[d] = size;
    }
  }
  return Shape::Create(sizes);
}

bool Joinable(const BroadcastPlan::Dim& outer, const BroadcastPlan::Dim& inner, int operands) {
  for (int o = 0; o < operands; ++o) {
    if (outer.stride[o] != inner.stride[o] * inner.size) return false;
  }
  return true;
}

}  // namespace

absl::StatusOr<BroadcastPlan> PlanBroadcast(absl::Span<const Shape* const> operands) {
  BroadcastPlan plan;
  plan.operands = static_cast<int>(operands.size());
  SLUICE_ASSIGN(plan.shape, ResultShape(operands));
  const int rank = plan.shape.rank();
  Offsets dense{1, 1, 1};  // elements of each operand inside dimension d
  for (int d = rank - 1; d >= 0; --d) {
    BroadcastPlan::Dim dim{plan.shape.dim(d), {}};
    for (int o = 0; o < plan.operands; ++o) {
      const int64_t size = AlignedSize(*operands[o], rank, d);
      dim.stride[o] = size == 1 ? 0 : dense[o];
      dense[o] *= size;
    }
    if (dim.size == 1) continue;
    if (!plan.dims.empty() && Joinable(dim, plan.dims.back(), plan.operands)) {
      plan.dims.back().size *= dim.size;
    } else {
      plan.dims.push_back(dim);
    }
  }
  if (plan.dims.empty()) plan.dims.push_back({1, {}});
  std::reverse(plan.dims.begin(), plan.dims.end());
  return plan;
}

absl::StatusOr<Shape> BroadcastShape(const Shape& a, const Shape& b) {
  return ResultShape({&a, &b});
}

}  // namespace sluice::kernels
