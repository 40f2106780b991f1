// SPDX-License-Identifier: Apache-2.0
// In place of the other files of kernels/cuda/ where the build found no CUDA toolkit.
#include "kernels/cuda/register.h"

namespace sluice::kernels {

absl::Span<const KernelFolder> CudaKernelFolders() { return {}; }

}  // namespace sluice::kernels
