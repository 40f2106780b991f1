// SPDX-License-Identifier: Apache-2.0
// Adam and its variants.
#include "kernels/cuda/training/training.cuh"

namespace sluice::cuda {

TrainingFamily AdamRules() {
  return RuleTable<RuleRow<OptimizerRule::kAdam, kernels::training::Adam>,
                   RuleRow<OptimizerRule::kAdamWithAmsgrad, kernels::training::AdamWithAmsgrad>,
                   RuleRow<OptimizerRule::kAdaMax, kernels::training::AdaMax>>::Family();
}

}  // namespace sluice::cuda
