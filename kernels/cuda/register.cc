// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/register.h"

#include "kernels/cuda/math/register.h"

namespace sluice::kernels {
namespace {

constexpr KernelFolder kFolders[] = {
    {"cuda", "math", RegisterCudaMath},
};

}  // namespace

absl::Span<const KernelFolder> CudaKernelFolders() { return kFolders; }

}  // namespace sluice::kernels
