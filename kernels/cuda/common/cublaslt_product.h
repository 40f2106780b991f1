// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_CUBLASLT_PRODUCT_H_
#define SLUICE_KERNELS_CUDA_COMMON_CUBLASLT_PRODUCT_H_

#include "kernels/cuda/common/product.h"
#include "kernels/cuda/common/workspace.h"

namespace sluice::kernels {

// Enqueues products by cuBLASLt; by a kernel of ours what it does not support. Its algorithm is
// chosen once for each product, GPU and alignment; the table of choices is bounded, and so is the
// workspace.
//
// Errors:   UNIMPLEMENTED if cuBLASLt cannot be opened.
// REQUIRES: floating or complex elements, no size is 0
absl::Status MultiplyByCublasLt(const cuda::Product& product, const void* a, const void* b,
                                void* out, cudaStream_t stream, Workspace workspace);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_CUBLASLT_PRODUCT_H_
