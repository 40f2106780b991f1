// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_PRODUCT_H_
#define SLUICE_KERNELS_CUDA_COMMON_PRODUCT_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Products out[i] = op(a[i]) * op(b[i]) of row-major matrices: [m, k] by [k, n] after the
// transpositions. Strides are the elements from one product of the batch to the next; 0 stretches.
struct Product {
  Element element = Element::kFloat;
  int64_t m = 0, n = 0, k = 0;
  bool transpose_a = false, transpose_b = false;
  bool conjugate = false;  // transposes are adjoints
  int64_t batch = 1, stride_a = 0, stride_b = 0, stride_out = 0;

  friend bool operator==(const Product&, const Product&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Product& p) {
    return H::combine(std::move(h), p.element, p.m, p.n, p.k, p.transpose_a, p.transpose_b,
                      p.conjugate, p.batch, p.stride_a, p.stride_b, p.stride_out);
  }
};

// Computes products by tiles in a plain kernel: for integers, which wrap, and for what cuBLASLt
// does not support.
cudaError_t LaunchProduct(const Product& product, const void* a, const void* b, void* out,
                          cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_PRODUCT_H_
