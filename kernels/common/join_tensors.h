// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_
#define SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_

#include "kernels/common/primitives.h"

namespace sluice::kernels {

// The elements of the parts one behind the other. REQUIRES: they are of the output's dtype, and
// fill it.
absl::Status JoinTensors(absl::Span<const Tensor> parts, Tensor& output);  // in host memory
absl::Status JoinTensors(KernelContext& ctx, const Primitives& on, absl::Span<const Tensor> parts,
                         Tensor& output);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_
