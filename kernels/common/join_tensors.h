// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_
#define SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// Concatenates the elements of all parts.
// REQUIRES: the parts have the output's dtype and together its number of elements.
absl::Status JoinTensors(absl::Span<const Tensor> parts, Tensor& output);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_JOIN_TENSORS_H_
