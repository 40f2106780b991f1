// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_ARRAY_PARTITION_PLAN_H_
#define SLUICE_KERNELS_COMMON_ARRAY_PARTITION_PLAN_H_

#include "core/runtime/kernel_context.h"
#include "core/tensor/shape.h"

namespace sluice::kernels {

// INVALID_ARGUMENT unless DynamicPartition has a number for each row of the data.
absl::Status CheckPartitions(const Shape& data, const Shape& partitions);

// The plan of DynamicStitch: the first half of its inputs are indices, on the host, the second half
// data.
struct StitchPlan {
  Shape row;
  Shape shape;  // the result's shape; the largest index gives the rows

  static absl::StatusOr<StitchPlan> Make(const KernelContext& ctx);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_ARRAY_PARTITION_PLAN_H_
