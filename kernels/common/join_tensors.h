// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_
#define SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_

#include "kernels/common/primitives.h"

namespace sluice::kernels {

// Concatenates the elements of all parts.
// REQUIRES: the parts have the output's dtype and together its number of elements.
absl::Status JoinTensors(absl::Span<const Tensor> parts, Tensor& output);  // in host memory
absl::Status JoinTensors(KernelContext& ctx, const Primitives& on, absl::Span<const Tensor> parts,
                         Tensor& output);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_
