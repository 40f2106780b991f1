// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_LAYOUT_H_
#define SLUICE_KERNELS_CPU_COMMON_LAYOUT_H_

#include "core/runtime/kernel.h"
#include "kernels/common/nn/data_format.h"

namespace sluice::kernels {

// Copies a tensor [n, c, ...] to [n, ..., c], and back into `out`, whose shape is [n, c, ...].
// Plain dtypes only. Kernels whose loops run over channels support both layouts this way.
absl::StatusOr<Tensor> ToChannelsLast(KernelContext& ctx, const Tensor& in);
absl::Status FromChannelsLast(KernelContext& ctx, const Tensor& in, Tensor& out);

// A copy in float of a narrow floating tensor; a float tensor is shared. And back, into `out`,
// which has as many elements as `in`.
absl::StatusOr<Tensor> ToFloat(KernelContext& ctx, const Tensor& in);
absl::Status FromFloat(KernelContext& ctx, const Tensor& in, Tensor& out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_LAYOUT_H_
