// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/trees/split_gain.h"

#include <Eigen/Dense>

#include "kernels/common/round_each.h"

namespace sluice::kernels {

float Regularization::FitOne(float gradient, float hessian, float* logit) const {
  constexpr float kSmallestHessian = 1e-15f;
  *logit = 0;
  float g = gradient;
  if (l1 > 0) {
    if (g > l1)
      g -= l1;
    else if (g < -l1)
      g += l1;
    else
      return 0;
  }
  if (hessian + l2 <= kSmallestHessian) return 0;
  *logit = -g / (hessian + l2);
  return -g * *logit;
}

float Regularization::Fit(absl::Span<const float> gradients, absl::Span<const float> hessians,
                          absl::Span<float> logits) const {
  if (gradients.size() == 1) return FitOne(gradients[0], hessians[0], logits.data());
  if (gradients.size() == hessians.size()) {
    const Regularization without_l1{0, l2};
    float gain = 0;
    for (size_t j = 0; j < gradients.size(); ++j)
      gain += without_l1.FitOne(gradients[j], hessians[j], &logits[j]);
    return gain;
  }
  const auto size = static_cast<Eigen::Index>(gradients.size());
  const Eigen::Map<const Eigen::VectorXf> g(gradients.data(), size);
  Eigen::MatrixXf h = Eigen::Map<const Eigen::MatrixXf>(hessians.data(), size, size);
  h.diagonal().array() += l2;
  Eigen::Map<Eigen::VectorXf> to(logits.data(), size);
  to = -h.colPivHouseholderQr().solve(g);
  return -g.dot(to);
}

}  // namespace sluice::kernels
