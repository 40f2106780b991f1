// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_NN_CROSS_ENTROPY_H_
#define SLUICE_KERNELS_CUDA_NN_CROSS_ENTROPY_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// A matrix that may broadcast: a stride of 0 repeats it.
struct StretchedMatrix {
  const void* data;
  int64_t row_stride, col_stride;  // in elements
};

// For each row: loss = sum(labels * (log(sum(exp(logits))) - logits)), and its gradient for the
// logits, softmax(logits) - labels. `backprop` is dense. Floating elements.
cudaError_t LaunchCrossEntropy(Element element, const StretchedMatrix& logits,
                               const StretchedMatrix& labels, int64_t rows, int64_t n, void* loss,
                               void* backprop, cudaStream_t stream);

// The same where row r is labelled with the one class labels[r], of int64_t if `wide_labels`, else
// of int32_t. A label out of range makes the row's loss and gradient NaN.
cudaError_t LaunchSparseCrossEntropy(Element element, const void* logits, const void* labels,
                                     bool wide_labels, int64_t rows, int64_t n, void* loss,
                                     void* backprop, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_NN_CROSS_ENTROPY_H_
