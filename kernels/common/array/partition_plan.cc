// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/array/partition_plan.h"

#include <algorithm>

#include "kernels/common/axis.h"

namespace sluice::kernels {
namespace {

bool HasPrefix(const Shape& shape, const Shape& prefix) {
  if (prefix.rank() > shape.rank()) return false;
  for (int d = 0; d < prefix.rank(); ++d) {
    if (shape.dim(d) != prefix.dim(d)) return false;
  }
  return true;
}

}  // namespace

absl::Status CheckPartitions(const Shape& data, const Shape& partitions) {
  if (HasPrefix(data, partitions)) return absl::OkStatus();
  return InvalidArgument("data.shape must start with partitions.shape, got data.shape = ", data,
                         ", partitions.shape = ", partitions);
}

absl::StatusOr<StitchPlan> StitchPlan::Make(const KernelContext& ctx) {
  StitchPlan plan;
  const int count = ctx.num_inputs() / 2;
  plan.row =
      SubShape(ctx.input(count).shape(), std::min(ctx.input(0).rank(), ctx.input(count).rank()),
               ctx.input(count).rank());
  int64_t rows = 0;
  for (int i = 0; i < count; ++i) {
    const Tensor &indices = ctx.input(i), &data = ctx.input(count + i);
    if (!HasPrefix(data.shape(), indices.shape())) {
      return InvalidArgument("data[", i, "].shape = ", data.shape(),
                             " does not start with indices[", i, "].shape = ", indices.shape());
    }
    if (!(SubShape(data.shape(), indices.rank(), data.rank()) == plan.row)) {
      return InvalidArgument(
          "Need data[0].shape[", ctx.input(0).rank(), ":] = data[", i, "].shape[", indices.rank(),
          ":], got data[0].shape = ", ctx.input(count).shape(), ", data[", i,
          "].shape = ", data.shape(), ", indices[0].shape = ", ctx.input(0).shape(), ", indices[",
          i, "].shape = ", indices.shape());
    }
    for (int64_t k = 0; k < indices.num_elements(); ++k) {
      const int32_t index = indices.data<int32_t>()[k];
      if (index < 0) return InvalidArgument("indices[", k, "] is out of range: ", index);
      rows = std::max<int64_t>(rows, index + int64_t{1});
    }
  }
  SLUICE_ASSIGN(plan.shape, JoinShapes(Shape{rows}, plan.row));
  return plan;
}

}  // namespace sluice::kernels
