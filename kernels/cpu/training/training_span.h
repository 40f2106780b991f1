// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_TRAINING_TRAINING_SPAN_H_
#define SLUICE_KERNELS_CPU_TRAINING_TRAINING_SPAN_H_

#include "core/tensor/dtype.h"
#include "kernels/common/training/optimizer_rule.h"

namespace sluice::kernels {

// Changes n consecutive elements of the variables. `scalars` are in the order of
// Optimizer::scalars.
using TrainingSpan = void (*)(const OptimizerOptions& options, const double* scalars, int64_t n,
                              void* const* variables, const void* gradient);

// Null if there is none for the dtype.
TrainingSpan TrainingSpanOf(OptimizerRule rule, DType dtype);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_TRAINING_TRAINING_SPAN_H_
