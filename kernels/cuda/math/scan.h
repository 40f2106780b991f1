// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_MATH_SCAN_H_
#define SLUICE_KERNELS_CUDA_MATH_SCAN_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

enum class ScanOp : uint8_t { kSum, kProd, kLogSumExp };

// Running totals of x, [outer, size, inner], along the middle axis. `exclusive`: totals of the
// elements before each. `reverse`: from the end. Half and bfloat16 add in float. y is not x.
// Elements: floating; int32 and int64 except for kLogSumExp.
cudaError_t LaunchScan(ScanOp op, Element element, bool exclusive, bool reverse, const void* x,
                       int64_t outer, int64_t size, int64_t inner, void* y, cudaStream_t stream);

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_MATH_SCAN_H_
