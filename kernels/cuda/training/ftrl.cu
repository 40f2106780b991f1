// SPDX-License-Identifier: Apache-2.0
// Follow the regularised leader.
#include "kernels/cuda/training/training.cuh"

namespace sluice::cuda {

TrainingFamily FtrlRules() {
  return RuleTable<RuleRow<OptimizerRule::kFtrl, kernels::training::Ftrl>,
                   RuleRow<OptimizerRule::kFtrlV2, kernels::training::FtrlV2>>::Family();
}

}  // namespace sluice::cuda
