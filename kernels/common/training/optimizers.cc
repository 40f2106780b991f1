// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/training/optimizers.h"

namespace sluice::kernels {
namespace {

absl::Status NotIn(absl::string_view name, absl::string_view domain, double value) {
  return InvalidArgument(name, " is not a ", domain, " scalar: ", value);
}

// Learning rates must be positive, regularisation must not be negative.
absl::Status CheckRegularised(const OptimizerOptions&, const double* s) {
  if (!(s[0] > 0)) return NotIn("lr", "positive", s[0]);
  if (!(s[1] >= 0)) return NotIn("l1 regularization strength", "non-negative", s[1]);
  if (!(s[2] >= 0)) return NotIn("l2 regularization strength", "non-negative", s[2]);
  return absl::OkStatus();
}
absl::Status CheckFtrlRates(const OptimizerOptions& o, const double* s, double lr_power) {
  const bool zero_allowed = o.multiply_linear_by_lr && s[0] == 0;
  const double checked[] = {zero_allowed ? 1.0 : s[0], s[1], s[2]};
  SLUICE_RETURN_IF_ERROR(CheckRegularised(o, checked));
  return lr_power <= 0 ? absl::OkStatus() : NotIn("lr_power", "non-positive", lr_power);
}
absl::Status CheckFtrl(const OptimizerOptions& o, const double* s) {
  return CheckFtrlRates(o, s, s[3]);
}
absl::Status CheckFtrlV2(const OptimizerOptions& o, const double* s) {
  if (!(s[3] >= 0)) return NotIn("l2 shrinkage regularization strength", "non-negative", s[3]);
  return CheckFtrlRates(o, s, s[4]);
}

std::vector<Optimizer> GradientAndMomentOptimizers() {
  return {
      {.rule = OptimizerRule::kGradientDescent,
       .name = "GradientDescent",
       .variables = {"var"},
       .scalars = {"alpha"},
       .gradient = "delta",
       .has_sparse = false},
      {.rule = OptimizerRule::kMomentum,
       .name = "Momentum",
       .variables = {"var", "accum"},
       .scalars = {"lr", "momentum"}},
      {.rule = OptimizerRule::kKerasMomentum,
       .name = "KerasMomentum",
       .variables = {"var", "accum"},
       .scalars = {"lr", "momentum"},
       .has_reference = false},
      {.rule = OptimizerRule::kAdam,
       .name = "Adam",
       .variables = {"var", "m", "v"},
       .scalars = {"beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"},
       .has_sparse = false},
      {.rule = OptimizerRule::kAdamWithAmsgrad,
       .name = "AdamWithAmsgrad",
       .variables = {"var", "m", "v", "vhat"},
       .scalars = {"beta1_power", "beta2_power", "lr", "beta1", "beta2", "epsilon"},
       .has_sparse = false,
       .has_reference = false},
      {.rule = OptimizerRule::kAdaMax,
       .name = "AdaMax",
       .variables = {"var", "m", "v"},
       .scalars = {"beta1_power", "lr", "beta1", "beta2", "epsilon"},
       .has_sparse = false},
  };
}

std::vector<Optimizer> AdaptiveAndProximalOptimizers() {
  return {
      {.rule = OptimizerRule::kAdagrad,
       .name = "Adagrad",
       .variables = {"var", "accum"},
       .scalars = {"lr"}},
      {.rule = OptimizerRule::kAdagradV2,
       .name = "AdagradV2",
       .variables = {"var", "accum"},
       .scalars = {"lr", "epsilon"}},
      {.rule = OptimizerRule::kAdagradDa,
       .name = "AdagradDA",
       .variables = {"var", "gradient_accumulator", "gradient_squared_accumulator"},
       .scalars = {"lr", "l1", "l2", "global_step"}},
      {.rule = OptimizerRule::kAdadelta,
       .name = "Adadelta",
       .variables = {"var", "accum", "accum_update"},
       .scalars = {"lr", "rho", "epsilon"}},
      {.rule = OptimizerRule::kRmsProp,
       .name = "RMSProp",
       .variables = {"var", "ms", "mom"},
       .scalars = {"lr", "rho", "momentum", "epsilon"}},
      {.rule = OptimizerRule::kCenteredRmsProp,
       .name = "CenteredRMSProp",
       .variables = {"var", "mg", "ms", "mom"},
       .scalars = {"lr", "rho", "momentum", "epsilon"}},
      {.rule = OptimizerRule::kFtrl,
       .name = "Ftrl",
       .variables = {"var", "accum", "linear"},
       .scalars = {"lr", "l1", "l2", "lr_power"},
       .check = &CheckFtrl},
      {.rule = OptimizerRule::kFtrlV2,
       .name = "FtrlV2",
       .variables = {"var", "accum", "linear"},
       .scalars = {"lr", "l1", "l2", "l2_shrinkage", "lr_power"},
       .check = &CheckFtrlV2},
      {.rule = OptimizerRule::kProximalGradientDescent,
       .name = "ProximalGradientDescent",
       .variables = {"var"},
       .scalars = {"alpha", "l1", "l2"},
       .gradient = "delta"},
      {.rule = OptimizerRule::kProximalAdagrad,
       .name = "ProximalAdagrad",
       .variables = {"var", "accum"},
       .scalars = {"lr", "l1", "l2"},
       .check = &CheckRegularised},
  };
}

std::vector<Optimizer> SignOptimizers() {
  return {
      {.rule = OptimizerRule::kAddSign,
       .name = "AddSign",
       .variables = {"var", "m"},
       .scalars = {"lr", "alpha", "sign_decay", "beta"},
       .has_sparse = false},
      {.rule = OptimizerRule::kPowerSign,
       .name = "PowerSign",
       .variables = {"var", "m"},
       .scalars = {"lr", "logbase", "sign_decay", "beta"},
       .has_sparse = false},
  };
}

std::vector<Optimizer> MakeOptimizers() {
  std::vector<Optimizer> all = GradientAndMomentOptimizers();
  for (const auto make : {&AdaptiveAndProximalOptimizers, &SignOptimizers}) {
    for (Optimizer& optimizer : make()) all.push_back(std::move(optimizer));
  }
  return all;
}

}  // namespace

const std::vector<Optimizer>& Optimizers() {
  static const auto& optimizers = *new std::vector<Optimizer>(MakeOptimizers());
  return optimizers;
}

const Optimizer* FindOptimizer(absl::string_view op) {
  for (absl::string_view prefix : {"Resource", "Sparse", "Apply"}) {
    if (op.substr(0, prefix.size()) == prefix) op.remove_prefix(prefix.size());
  }
  for (const Optimizer& optimizer : Optimizers()) {
    if (optimizer.name == op) return &optimizer;
  }
  return nullptr;
}

}  // namespace sluice::kernels
