// SPDX-License-Identifier: Apache-2.0
// Gradient descent with the variants of momentum and sign.
#include "kernels/cuda/training/training.cuh"

namespace sluice::cuda {

TrainingFamily MomentumRules() {
  return RuleTable<RuleRow<OptimizerRule::kGradientDescent, kernels::training::GradientDescent>,
                   RuleRow<OptimizerRule::kMomentum, kernels::training::Momentum>,
                   RuleRow<OptimizerRule::kKerasMomentum, kernels::training::KerasMomentum>,
                   RuleRow<OptimizerRule::kAddSign, kernels::training::AddSign>,
                   RuleRow<OptimizerRule::kPowerSign, kernels::training::PowerSign>>::Family();
}

}  // namespace sluice::cuda
