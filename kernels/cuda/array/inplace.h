// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_ARRAY_INPLACE_H_
#define SLUICE_KERNELS_CUDA_ARRAY_INPLACE_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// Rows of x that an update in place changes: row places[k] modulo `rows` of x, [rows, width], meets
// row k of v, [count, width], in the order of k.
struct InplaceRows {
  void* x;
  const void* v;
  const int32_t* places;
  int64_t rows, width, count;
};

// x = v. Elements of 1, 2, 4, 8 or 16 bytes.
cudaError_t LaunchInplaceUpdate(int element_size, const InplaceRows& rows, cudaStream_t stream);
// x += v, or x -= v if `subtract`. Real and complex elements.
cudaError_t LaunchInplaceAdd(Element element, bool subtract, const InplaceRows& rows,
                             cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_ARRAY_INPLACE_H_
