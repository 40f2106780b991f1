// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NN_POOL_PLAN_H_
#define SLUICE_KERNELS_COMMON_NN_POOL_PLAN_H_

#include <vector>

#include "core/runtime/kernel.h"
#include "kernels/common/nn/window.h"

namespace sluice::kernels {

struct PoolSizes {
  int64_t batch, channels;
  Window planes, height, width;  // one plane: an image
  Window depth;                  // windows over channels: as wide as their stride

  int64_t in_pixels() const { return planes.in * height.in * width.in; }
  int64_t in_image() const { return in_pixels() * channels; }
  int64_t out_channels() const { return channels / depth.kernel; }
  int64_t out_rows() const { return planes.out * height.out; }  // of all planes
  int64_t out_image() const { return out_rows() * width.out * out_channels(); }
  double pixel_cost() const {
    return 0.5 * planes.kernel * height.kernel * width.kernel * channels;
  }
};

// The attributes of a pooling. Window sizes and strides are attributes, or in the V2 ops the last
// two inputs.
struct PoolOp {
  WindowAttrs attrs;
  std::vector<int64_t> ksize, strides;  // if empty, from inputs
  const char* not_over_channels;        // error text for such windows

  static absl::StatusOr<PoolOp> Create(const NodeSpec& node);

  // The sizes for an input of this shape. `depthwise`: windows over channels are supported too.
  absl::StatusOr<PoolSizes> Sizes(const KernelContext& ctx, const Shape& input,
                                  bool depthwise) const;
  absl::StatusOr<Shape> OutputShape(const PoolSizes& s) const;

 private:
  absl::StatusOr<PoolSizes> SizesOf(const Shape& input, absl::Span<const int64_t> k,
                                    absl::Span<const int64_t> s, bool depthwise) const;
};

// The shape of the images whose averages AvgPoolGrad was given; its input 0 has the sizes.
absl::StatusOr<Shape> PooledImageShape(const PoolOp& op, const Tensor& sizes);

// Pixels of an image are counted in 32 bits where the place of a maximum is kept.
absl::Status CheckPixels(const PoolSizes& s);

// INVALID_ARGUMENT if a shape is not the expected one. The error calls it `name`, or `ranked` if
// its rank is wrong.
absl::Status CheckShape(absl::string_view name, absl::string_view ranked, const Shape& found,
                        const Shape& expected);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NN_POOL_PLAN_H_
