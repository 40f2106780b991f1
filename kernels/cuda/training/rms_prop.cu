// SPDX-License-Identifier: Apache-2.0
// RMSProp and its centered variant.
#include "kernels/cuda/training/training.cuh"

namespace sluice::cuda {

TrainingFamily RmsPropRules() {
  return RuleTable<
      RuleRow<OptimizerRule::kRmsProp, kernels::training::RmsProp>,
      RuleRow<OptimizerRule::kCenteredRmsProp, kernels::training::CenteredRmsProp>>::Family();
}

}  // namespace sluice::cuda
