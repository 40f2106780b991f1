// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_CONV_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_CONV_PLAN_H_

#include "core/runtime/kernel_context.h"
#include "kernels/common/nn/window.h"

namespace sluice::kernels {

// The sizes of a convolution of images, or of volumes, which also have planes. Filters are [planes
// if any, height, width, in_channels / groups, out_channels].
struct ConvSizes {
  int64_t batch = 0, in_channels = 0, out_channels = 0, groups = 1;
  Window planes, height, width;
  bool volume = false;
  bool channels_first = false;  // layout of input and output

  int64_t taps() const { return planes.kernel * height.kernel * width.kernel; }
  int64_t in_pixels() const { return planes.in * height.in * width.in; }
  int64_t out_pixels() const { return planes.out * height.out * width.out; }
  int64_t source_size() const { return in_channels * in_pixels(); }  // elements of one image
  int64_t destination_size() const { return out_channels * out_pixels(); }
  double multiplications() const {
    return 1.0 * batch * out_pixels() * out_channels * taps() * (in_channels / groups);
  }
};

enum class ConvDirection { kForward, kBackpropInput, kBackpropFilter };

// The checks of Conv2D, Conv3D and their gradients, and the shapes of their results.
struct ConvPlan {
  ConvSizes sizes;
  Shape output;
};

// One of these ops, by its attributes.
struct ConvOp {
  WindowAttrs attrs;
  ConvDirection direction = ConvDirection::kForward;
  bool by_example =
      false;  // the first ops on volumes take a tensor of this shape instead of its sizes

  static absl::StatusOr<ConvOp> Create(const NodeSpec& node, ConvDirection direction);
  // The plan for the node's inputs. Sizes that are an input are read: they are in host memory.
  absl::StatusOr<ConvPlan> Plan(const KernelContext& ctx) const;
  absl::StatusOr<ConvPlan> PlanForward(const Shape& input, const Shape& filter) const;

 private:
  absl::StatusOr<ConvPlan> PlanInput(const Tensor& sizes, const Shape& filter,
                                     const Shape& grad) const;
  absl::StatusOr<ConvPlan> PlanFilter(const Shape& input, const Tensor& sizes,
                                      const Shape& grad) const;
  absl::StatusOr<Shape> InputShape(const Tensor& sizes, const Shape& filter,
                                   const Shape& grad) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_CONV_PLAN_H_
