// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_WORKSPACE_H_
#define SLUICE_KERNELS_CUDA_COMMON_WORKSPACE_H_

#include "absl/functional/function_ref.h"
#include "core/runtime/kernel_context.h"

namespace sluice::kernels {

// Allocates bytes on the GPU that what is enqueued before the tensor goes may use.
using Workspace = absl::FunctionRef<absl::StatusOr<Tensor>(int64_t bytes)>;

// The temporary memory of a kernel.
struct KernelWorkspace {
  KernelContext& ctx;

  absl::StatusOr<Tensor> operator()(int64_t bytes) const {
    return ctx.AllocateTemporary(kUint8, Shape{bytes});
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_COMMON_WORKSPACE_H_
