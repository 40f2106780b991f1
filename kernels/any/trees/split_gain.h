// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_TREES_SPLIT_GAIN_H_
#define SLUICE_KERNELS_ANY_TREES_SPLIT_GAIN_H_

#include <vector>

#include "absl/types/span.h"

namespace sluice::kernels {

// Gains closer than this are equal.
constexpr float kGainTolerance = 1e-15f;

// The best logits of a leaf, and the gain that they bring, from the sums of the gradients and the
// hessians of its examples. With one logit, of sums g and h, the logit is -g / (h + l2) after l1
// has brought g closer to 0. With more, the hessian of an example is diagonal (as many values as
// logits) or full (their square), and l1 has no effect.
struct Regularization {
  float l1 = 0;
  float l2 = 0;

  float Fit(absl::Span<const float> gradients, absl::Span<const float> hessians,
            absl::Span<float> logits) const;
  float FitOne(float gradient, float hessian, float* logit) const;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_TREES_SPLIT_GAIN_H_
