// SPDX-License-Identifier: Apache-2.0
// Finds the unit that has a rule.
#include "kernels/cuda/training/training.h"

namespace sluice::cuda {
namespace {

const TrainingFamily* FamilyOf(OptimizerRule rule) {
  static const TrainingFamily kFamilies[] = {MomentumRules(), AdamRules(), AdagradRules(),
                                             RmsPropRules(),  FtrlRules(), ProximalRules()};
  for (const TrainingFamily& family : kFamilies) {
    if (family.has(rule)) return &family;
  }
  return nullptr;
}

cudaError_t LaunchCall(const TrainingCall& call) {
  const TrainingFamily* family = FamilyOf(call.rule);
  return family == nullptr ? cudaErrorInvalidValue : family->launch(call);
}

}  // namespace

bool HasTrainingKernels(OptimizerRule rule) { return FamilyOf(rule) != nullptr; }

cudaError_t LaunchTraining(OptimizerRule rule, Element element, const TrainingOperands& operands,
                           int64_t n, cudaStream_t stream) {
  return LaunchCall({rule, element, &operands, n, nullptr, stream});
}

cudaError_t LaunchTrainingRows(OptimizerRule rule, Element element,
                               const TrainingOperands& operands, const TrainingRows& rows,
                               cudaStream_t stream) {
  return LaunchCall({rule, element, &operands, 0, &rows, stream});
}

}  // namespace sluice::cuda
