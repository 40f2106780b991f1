// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_DEPTHWISE_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_DEPTHWISE_PLAN_H_

#include "kernels/common/nn/conv_plan.h"

namespace sluice::kernels {

// Filters are [height, width, channels, multiplier]; output channel c * multiplier + m comes from
// input channel c.
struct DepthwiseSizes {
  int64_t batch, channels, multiplier;
  Window height, width;

  int64_t out_channels() const { return channels * multiplier; }
  double row_cost() const {  // ns for one output row
    return 0.5 * width.out * height.kernel * width.kernel * out_channels();
  }
};

// The checks of DepthwiseConv2dNative and its gradients, and the shapes of their results.
struct DepthwisePlan {
  DepthwiseSizes sizes;
  Shape output;
};

// One of these ops, by its attributes.
struct DepthwiseOp {
  WindowAttrs attrs;
  ConvDirection direction;
  absl::string_view gradient;  // its name in errors

  static absl::StatusOr<DepthwiseOp> Create(const NodeSpec& node);
  // The plan for the node's inputs. Sizes that are an input are read: they are in host memory.
  absl::StatusOr<DepthwisePlan> Plan(const KernelContext& ctx) const;

 private:
  absl::Status CheckGradient(const DepthwiseSizes& s, const Shape& grad) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_DEPTHWISE_PLAN_H_
