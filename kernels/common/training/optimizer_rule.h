// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_TRAINING_OPTIMIZER_RULE_H_
#define SLUICE_KERNELS_COMMON_TRAINING_OPTIMIZER_RULE_H_

#include <cstdint>

namespace sluice::kernels {

// The rules, as data: a device has a loop for each rule that it supports.
enum class OptimizerRule : uint8_t {
  kGradientDescent,
  kMomentum,
  kKerasMomentum,
  kAdam,
  kAdamWithAmsgrad,
  kAdaMax,
  kAdagrad,
  kAdagradV2,
  kAdagradDa,
  kAdadelta,
  kRmsProp,
  kCenteredRmsProp,
  kFtrl,
  kFtrlV2,
  kProximalGradientDescent,
  kProximalAdagrad,
  kAddSign,
  kPowerSign,
};

// Attributes of training ops that change the arithmetic.
struct OptimizerOptions {
  bool use_nesterov = false;
  bool update_slots = true;
  bool multiply_linear_by_lr = false;
  bool sparse = false;  // the gradient has rows and indices
};

inline constexpr int kMaxTrainingVariables = 4;
inline constexpr int kMaxTrainingScalars = 6;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_TRAINING_OPTIMIZER_RULE_H_
