// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_ARRAY_SCATTER_ND_H_
#define SLUICE_KERNELS_CPU_ARRAY_SCATTER_ND_H_

#include "core/tensor/tensor.h"
#include "kernels/common/elementwise.h"

namespace sluice::kernels {

enum class ScatterRule { kAdd, kSubtract, kAssign, kMaximum, kMinimum };

// Combines updates [picks..., slice...] with the slices of `target` that the rows of indices
// [picks..., depth] select; repeated indices in order. INVALID_ARGUMENT if shapes do not fit, or
// "indices[0] = [5] does not index into shape [3]" (then nothing more is written) unless
// `ignore_bad`.
absl::Status ScatterSlices(const Tensor& indices, const Tensor& updates, ScatterRule rule,
                           bool ignore_bad, Tensor& target);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_ARRAY_SCATTER_ND_H_
