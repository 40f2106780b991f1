// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_REGISTER_H_
#define SLUICE_KERNELS_CUDA_REGISTER_H_

#include "absl/types/span.h"
#include "kernels/common/kernel_folder.h"

namespace sluice::kernels {

// The folders of kernels/cuda/, if the build has CUDA.
absl::Span<const KernelFolder> CudaKernelFolders();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CUDA_REGISTER_H_
