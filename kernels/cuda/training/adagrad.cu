// SPDX-License-Identifier: Apache-2.0
// Optimizers that divide by the root of a sum of squares.
#include "kernels/cuda/training/training.cuh"

namespace sluice::cuda {

TrainingFamily AdagradRules() {
  return RuleTable<RuleRow<OptimizerRule::kAdagrad, kernels::training::Adagrad>,
                   RuleRow<OptimizerRule::kAdagradV2, kernels::training::AdagradV2>,
                   RuleRow<OptimizerRule::kAdadelta, kernels::training::Adadelta>>::Family();
}

}  // namespace sluice::cuda
