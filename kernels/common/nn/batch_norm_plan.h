// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_BATCH_NORM_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_BATCH_NORM_PLAN_H_

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// Images as rows of channels.
struct BatchNormSizes {
  int64_t rows, channels;

  // The factor that makes the output variance the unbiased one.
  float unbiased() const;
};

// The attributes and checks of all forms of fused batch normalization.
struct BatchNormOp {
  float epsilon, factor = 1;
  bool training, channels_first;
  bool volumes;        // the third version accepts images of three dimensions too
  bool third_reserve;  // FusedBatchNormV3 has one more output

  static absl::StatusOr<BatchNormOp> Create(const NodeSpec& node);

  // The sizes of the node's inputs.
  absl::StatusOr<BatchNormSizes> Plan(const KernelContext& ctx) const;
  absl::StatusOr<BatchNormSizes> PlanGradient(const KernelContext& ctx) const;
  // True if running averages are mixed with the statistics of the batch.
  bool averages() const { return training && factor != 1.0f; }

 private:
  absl::Status CheckImages(const Shape& x) const;
  BatchNormSizes SizesOf(const Shape& x) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_BATCH_NORM_PLAN_H_
