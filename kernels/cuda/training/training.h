// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_TRAINING_TRAINING_H_
#define SLUICE_KERNELS_CUDA_TRAINING_TRAINING_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/common/training/optimizer_rule.h"
#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

using kernels::kMaxTrainingScalars;
using kernels::kMaxTrainingVariables;
using kernels::OptimizerOptions;
using kernels::OptimizerRule;

// The operands of an update. All pointers are to device memory of one element type.
struct TrainingOperands {
  void* variables[kMaxTrainingVariables] = {};    // in the order of Optimizer::variables
  const void* scalars[kMaxTrainingScalars] = {};  // one element each; null: 0
  int32_t wide_scalar = -1;                       // the one that is an int64_t; -1: none
  const void* gradient = nullptr;
  OptimizerOptions options;
};

// The rows that a sparse update changes.
struct TrainingRows {
  const void* indices = nullptr;  // of int64_t if `wide`, else of int32_t
  bool wide = false;
  int64_t count = 0;  // indices, rows of the gradient
  int64_t rows = 0;   // of the variables
  int64_t width = 0;  // elements of a row
};

// Returns false if the optimizer has no kernels here.
bool HasTrainingKernels(OptimizerRule rule);

// Applies the gradient to n elements, in one launch. The gradient may be a variable.
cudaError_t LaunchTraining(OptimizerRule rule, Element element, const TrainingOperands& operands,
                           int64_t n, cudaStream_t stream);

// Applies row i of the gradient to row indices[i] of the variables, in one launch. Repeated rows
// are applied one by one in their order. An index out of range is dropped.
cudaError_t LaunchTrainingRows(OptimizerRule rule, Element element,
                               const TrainingOperands& operands, const TrainingRows& rows,
                               cudaStream_t stream);

// For the units that hold the kernels: rules each. `rows` is null for a dense update.
struct TrainingCall {
  OptimizerRule rule;
  Element element;
  const TrainingOperands* operands;
  int64_t n;
  const TrainingRows* rows;
  cudaStream_t stream;
};
struct TrainingFamily {
  bool (*has)(OptimizerRule rule);
  cudaError_t (*launch)(const TrainingCall& call);
};
TrainingFamily MomentumRules();
TrainingFamily AdamRules();
TrainingFamily AdagradRules();
TrainingFamily RmsPropRules();
TrainingFamily FtrlRules();
TrainingFamily ProximalRules();

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_TRAINING_TRAINING_H_
