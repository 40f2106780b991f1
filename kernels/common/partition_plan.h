// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARTITION_PLAN_H_
#define SLUICE_KERNELS_COMMON_PARTITION_PLAN_H_

#include "core/runtime/kernel_context.h"
#include "core/tensor/shape.h"

namespace sluice::kernels {

// INVALID_ARGUMENT unless DynamicPartition has a number for each row of the data.
absl::Status CheckPartitions(const Shape& data, const Shape& partitions);

// What DynamicStitch makes of its inputs: first half indices, on the host, second half data.
struct StitchPlan {
  Shape row;
  Shape shape;  // of the result: as many rows as the largest index says

  static absl::StatusOr<StitchPlan> Make(const KernelContext& ctx);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARTITION_PLAN_H_
