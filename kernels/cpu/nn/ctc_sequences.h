// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CTC_SEQUENCES_H_
#define SLUICE_KERNELS_CPU_NN_CTC_SEQUENCES_H_

#include <vector>

#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// Checks the inputs of a CTC decoder: scores [time, batch, classes], and the number of steps of
// each sequence.
absl::Status CheckCtcInputs(const Tensor& scores, const Tensor& lengths);

// Labels without blanks, by sequence of the batch.
using CtcLabels = std::vector<std::vector<int32_t>>;

// Sets three outputs to a sparse matrix of labels: indices, values, shape.
absl::Status SetCtcLabels(KernelContext& ctx, const CtcLabels& labels, int indices, int values,
                          int shape);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_CTC_SEQUENCES_H_
