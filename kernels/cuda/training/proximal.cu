// SPDX-License-Identifier: Apache-2.0
// Optimizers that shrink variables towards zero.
#include "kernels/cuda/training/training.cuh"

namespace sluice::cuda {

TrainingFamily ProximalRules() {
  using kernels::training::AdagradDa;
  using kernels::training::ProximalAdagrad;
  using kernels::training::ProximalGradientDescent;
  return RuleTable<
      RuleRow<OptimizerRule::kAdagradDa, AdagradDa>,
      RuleRow<OptimizerRule::kProximalAdagrad, ProximalAdagrad>,
      RuleRow<OptimizerRule::kProximalGradientDescent, ProximalGradientDescent>>::Family();
}

}  // namespace sluice::cuda
