// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_KERNEL_H_
#define SLUICE_KERNELS_CUDA_COMMON_KERNEL_H_

#include <cuda_runtime_api.h>

#include "core/runtime/kernel_context.h"
#include "kernels/cuda/common/element.h"

namespace sluice::kernels {

using cuda::Element;

// The stream of the context's device on which a kernel enqueues its work.
// REQUIRES: the kernel runs on a CUDA device
cudaStream_t StreamOf(const KernelContext& ctx);

// The result of a launch function as a Status. It does not name the kernel: the executor adds the
// node.
absl::Status Launched(cudaError_t error);

// REQUIRES: HasElement(dtype)
Element ElementOf(DType dtype);
// False for strings, handles, variants and quantised types.
bool HasElement(DType dtype);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_KERNEL_H_
