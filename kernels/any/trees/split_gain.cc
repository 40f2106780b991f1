// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/trees/split_gain.h"

#include <cmath>
#include <utility>
#include <vector>

#include "kernels/common/round_each.h"

namespace sluice::kernels {
namespace {

// Solves (h + l2) x = g by elimination with pivots. Where h is singular, x is 0.
std::vector<double> Solve(absl::Span<const float> g, absl::Span<const float> h, float l2) {
  const size_t n = g.size();
  std::vector<std::vector<double>> rows(n);
  for (size_t i = 0; i < n; ++i) {
    rows[i].assign(h.begin() + static_cast<ptrdiff_t>(i * n),
                   h.begin() + static_cast<ptrdiff_t>((i + 1) * n));
    rows[i][i] += l2;
    rows[i].push_back(g[i]);
  }
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(rows[i][k]) > std::abs(rows[k][k])) std::swap(rows[i], rows[k]);
    }
    for (size_t i = k + 1; i < n && rows[k][k] != 0; ++i) {
      const double factor = rows[i][k] / rows[k][k];
      for (size_t j = k; j <= n; ++j) rows[i][j] -= factor * rows[k][j];
    }
  }
  std::vector<double> x(n, 0.0);
  for (size_t k = n; k-- > 0;) {
    double rest = rows[k][n];
    for (size_t j = k + 1; j < n; ++j) rest -= rows[k][j] * x[j];
    if (rows[k][k] != 0) x[k] = rest / rows[k][k];
  }
  return x;
}

}  // namespace

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
  const std::vector<double> solution = Solve(gradients, hessians, l2);
  double gain = 0;
  for (size_t j = 0; j < gradients.size(); ++j) {
    logits[j] = static_cast<float>(-solution[j]);
    gain += gradients[j] * solution[j];
  }
  return static_cast<float>(gain);
}

}  // namespace sluice::kernels
