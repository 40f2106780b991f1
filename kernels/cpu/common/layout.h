// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_LAYOUT_H_
#define SLUICE_KERNELS_CPU_COMMON_LAYOUT_H_

#include "core/runtime/kernel.h"

namespace sluice::kernels {

// What the attribute data_format says: true for NCHW and NCDHW, false for NHWC and NDHWC, and for
// ops without it.
absl::StatusOr<bool> ChannelsFirst(const NodeSpec& node);

// The sizes of a shape with its channels moved to the end (from dimension 1), and back.
// REQUIRES: rank >= 2.
absl::StatusOr<Shape> ChannelsLastShape(const Shape& shape);
absl::StatusOr<Shape> ChannelsFirstShape(const Shape& shape);

// A tensor [n, c, ...] copied to [n, ..., c], and back into `out`, whose shape is [n, c, ...].
// Plain dtypes. Kernels whose loops run over channels take either layout this way.
absl::StatusOr<Tensor> ToChannelsLast(KernelContext& ctx, const Tensor& in);
absl::Status FromChannelsLast(KernelContext& ctx, const Tensor& in, Tensor& out);

// A copy in float of a narrow floating tensor; one in float is shared. And back, into `out` of in's
// element count.
absl::StatusOr<Tensor> ToFloat(KernelContext& ctx, const Tensor& in);
absl::Status FromFloat(KernelContext& ctx, const Tensor& in, Tensor& out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_LAYOUT_H_
