// SPDX-License-Identifier: Apache-2.0
// Replaces the other files of kernels/cuda/ if the build found no CUDA toolkit.
#include "kernels/cuda/collective/nccl_between_tasks.h"
#include "kernels/cuda/register.h"

namespace sluice::kernels {

absl::Span<const KernelFolder> CudaKernelFolders() { return {}; }
const DeviceLibrary* NcclBetweenTasks() { return nullptr; }

}  // namespace sluice::kernels
