// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/nn/batch_norm_plan.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "kernels/common/nn/data_format.h"

namespace sluice::kernels {
namespace {

absl::Status CheckVector(absl::string_view name, const Tensor& vector, int64_t channels) {
  if (vector.rank() != 1) {
    return InvalidArgument(name, " must be 1-dimensional", vector.shape());
  }
  if (vector.dim(0) == channels) return absl::OkStatus();
  return InvalidArgument(name, " must have the same number of elements as the channels of x, got ",
                         vector.dim(0), " and ", channels);
}

}  // namespace

float BatchNormSizes::unbiased() const {
  return static_cast<float>(rows) / static_cast<float>(std::max<int64_t>(1, rows - 1));
}

absl::StatusOr<BatchNormOp> BatchNormOp::Create(const NodeSpec& node) {
  BatchNormOp made;
  SLUICE_ASSIGN(made.epsilon, node.Get<float>("epsilon"));
  SLUICE_ASSIGN(made.training, node.Get<bool>("is_training"));
  SLUICE_ASSIGN(made.channels_first, ChannelsFirst(node));
  made.volumes = absl::EndsWith(node.op, "V3");
  made.factor = GetAttrOr(node.attrs, "exponential_avg_factor", 1.0f);
  made.third_reserve = absl::string_view(node.op) == "FusedBatchNormV3";
  return made;
}

// Volumes too may have a format of planes: all formats name the place of the channels.
absl::Status BatchNormOp::CheckImages(const Shape& x) const {
  if (x.rank() == 4 || (volumes && x.rank() == 5)) return absl::OkStatus();
  return InvalidArgument("input must be 4-dimensional", x);
}

BatchNormSizes BatchNormOp::SizesOf(const Shape& x) const {
  const int64_t channels = x.dim(channels_first ? 1 : x.rank() - 1);
  return {channels == 0 ? 0 : x.num_elements() / channels, channels};
}

absl::StatusOr<BatchNormSizes> BatchNormOp::Plan(const KernelContext& ctx) const {
  const Shape& x = ctx.input(0).shape();
  SLUICE_RETURN_IF_ERROR(CheckImages(x));
  const BatchNormSizes sizes = SizesOf(x);
  SLUICE_RETURN_IF_ERROR(CheckVector("scale", ctx.input(1), sizes.channels));
  SLUICE_RETURN_IF_ERROR(CheckVector("offset", ctx.input(2), sizes.channels));
  if (training && factor == 1.0f) return sizes;
  SLUICE_RETURN_IF_ERROR(CheckVector("estimated_mean", ctx.input(3), sizes.channels));
  SLUICE_RETURN_IF_ERROR(CheckVector("estimated_variance", ctx.input(4), sizes.channels));
  return sizes;
}

absl::StatusOr<BatchNormSizes> BatchNormOp::PlanGradient(const KernelContext& ctx) const {
  const Shape& dy = ctx.input(0).shape();
  const Shape& x = ctx.input(1).shape();
  SLUICE_RETURN_IF_ERROR(CheckImages(x));
  if (!(dy == x)) {
    return InvalidArgument("x and y_backprop must have same shape, but x has shape ", x,
                           " and y_backprop has shape ", dy);
  }
  const BatchNormSizes sizes = SizesOf(x);
  SLUICE_RETURN_IF_ERROR(CheckVector("scale", ctx.input(2), sizes.channels));
  SLUICE_RETURN_IF_ERROR(CheckVector("saved mean", ctx.input(3), sizes.channels));
  SLUICE_RETURN_IF_ERROR(CheckVector("saved variance", ctx.input(4), sizes.channels));
  return sizes;
}

}  // namespace sluice::kernels
