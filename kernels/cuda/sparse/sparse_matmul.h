// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_SPARSE_SPARSE_MATMUL_H_
#define SLUICE_KERNELS_CUDA_SPARSE_SPARSE_MATMUL_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"
#include "kernels/cuda/common/rows.h"

namespace sluice::cuda {

// A matrix [outer, inner] of `count` values at pairs of indices, times a dense one [inner, columns].
// The adjoint matrices are transposed and conjugated.
struct SparseProduct {
  Indices indices;
  const void* values;
  const void* dense;
  int64_t count, outer, inner, columns;
  bool adjoint_a, adjoint_b;
};

// Adds the product to `sums`: of float for half and bfloat16, else of the element's type. A value
// whose indices are out of range is dropped. Elements: floating and complex.
cudaError_t LaunchSparseProduct(Element element, const SparseProduct& product, void* sums,
                                cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_SPARSE_SPARSE_MATMUL_H_
