// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/training/sdca_loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sluice::kernels {
namespace {

// Newton's method doubles the exact digits in each step.
constexpr int kNewtonSteps = 10;
constexpr double kUnbounded = std::numeric_limits<double>::max();

absl::StatusOr<float> SignOf(float label) {
  if (label == 0) return -1.0f;
  if (label == 1) return 1.0f;
  return InvalidArgument(
      "Only labels of 0.0 or 1.0 are supported right now. Found example with label: ", label);
}

class Logistic final : public SdcaLoss {
  absl::StatusOr<float> Label(float label) const override { return SignOf(label); }

  double NewDual(const Example& e) const override {
    const double scale = e.norm * e.weight;
    double x = 0;  // the dual variable is (1 + tanh x) / 2, times the label
    for (int i = 0; i < kNewtonSteps; ++i) {
      const double t = std::tanh(x);
      const double value =
          -2 * e.label * x - e.product - scale * (0.5 * (1 + t) / e.label - e.dual);
      const double slope = -2 * e.label - scale * (1 - t * t) * 0.5 / e.label;
      x -= value / slope;
    }
    return 0.5 * (1 + std::tanh(x)) / e.label;
  }
  double Dual(double dual, double label, double weight) const override {
    const double a = dual * label, b = 1 - a;
    return (a * (a > 0 ? std::log(a) : 0) + b * (b > 0 ? std::log(b) : 0)) * weight;
  }
  double Primal(double product, double label, double weight) const override {
    const double margin = label * product;  // no exponential overflows
    if (margin > 0) return std::log1p(std::exp(-margin)) * weight;
    return (std::log1p(std::exp(margin)) - margin) * weight;
  }
  double Derivative(double product, double label) const override {
    const double margin = label * product;
    const double wrong =
        margin > 0 ? std::exp(-margin) / (1 + std::exp(-margin)) : 1 / (1 + std::exp(margin));
    return -wrong * label;
  }
  double Smoothness() const override { return 4; }
};

class Squared final : public SdcaLoss {
  absl::StatusOr<float> Label(float label) const override { return label; }

  double NewDual(const Example& e) const override {
    return e.dual + (e.label - e.dual - e.product) / (1 + e.norm * e.weight);
  }
  double Dual(double dual, double label, double weight) const override {
    return dual * (0.5 * dual - label) * weight;
  }
  double Primal(double product, double label, double weight) const override {
    const double error = product - label;
    return error * error * weight * 0.5;
  }
  double Derivative(double product, double label) const override { return product - label; }
  double Smoothness() const override { return 1; }
};

// The loss 1 - margin below a margin of 1, rounded over a width of kGamma; no rounding: 0.
template <int kGamma>
class Hinge final : public SdcaLoss {
  absl::StatusOr<float> Label(float label) const override { return SignOf(label); }

  double NewDual(const Example& e) const override {
    const double best =
        e.dual + (e.label - e.product - kGamma * e.dual) / (e.norm * e.weight + kGamma);
    if (e.label * best < 0) return 0;
    return e.label * best > 1 ? e.label : best;
  }
  double Dual(double dual, double label, double weight) const override {
    const double a = dual * label;
    if (a < 0 || a > 1) return kUnbounded;
    return (-a + 0.5 * kGamma * dual * dual) * weight;
  }
  double Primal(double product, double label, double weight) const override {
    const double margin = label * product;
    if (margin >= 1) return 0;
    if (margin <= 1 - kGamma) return (1 - margin - kGamma / 2.0) * weight;
    return (1 - margin) * (1 - margin) * weight * 0.5 / std::max(kGamma, 1);
  }
  double Derivative(double product, double label) const override {
    const double margin = label * product;
    if (margin >= 1) return 0;
    if (margin <= 1 - kGamma) return -label;
    return (product - label) / std::max(kGamma, 1);
  }
  double Smoothness() const override { return kGamma; }
};

class Poisson final : public SdcaLoss {
  absl::StatusOr<float> Label(float label) const override {
    if (!(label < 0)) return label;
    return InvalidArgument(
        "Only non-negative labels can be used with the Poisson log loss. Found example with "
        "label: ",
        label);
  }

  double NewDual(const Example& e) const override {
    const double gap = e.label - e.dual, scale = e.norm * e.weight;
    double x = gap > 0 ? std::log(gap) : 0;  // the dual variable is the label minus exp x
    for (int i = 0; i < kNewtonSteps; ++i) {
      const double exponential = std::exp(x);
      x -= (x - e.product - scale * (gap - exponential)) / (1 + scale * exponential);
    }
    return e.label - std::exp(x);
  }
  double Dual(double dual, double label, double weight) const override {
    const double gap = label - dual;
    if (gap == 0) return 0;
    if (gap < 0) return kUnbounded;
    return gap * (std::log(gap) - 1) * weight;
  }
  double Primal(double product, double label, double weight) const override {
    return (std::exp(product) - product * label) * weight;
  }
  double Derivative(double product, double label) const override {
    return std::exp(product) - label;
  }
  double Smoothness() const override { return 1; }
};

}  // namespace

const SdcaLoss* SdcaLossOf(absl::string_view type) {
  static const Logistic kLogistic;
  static const Squared kSquared;
  static const Hinge<0> kHinge;
  static const Hinge<1> kSmoothHinge;
  static const Poisson kPoisson;
  if (type == "logistic_loss") return &kLogistic;
  if (type == "squared_loss") return &kSquared;
  if (type == "hinge_loss") return &kHinge;
  if (type == "smooth_hinge_loss") return &kSmoothHinge;
  if (type == "poisson_loss") return &kPoisson;
  return nullptr;
}

}  // namespace sluice::kernels
