// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/register.h"

#include "kernels/cuda/math/register.h"
#include "kernels/cuda/nn/register.h"
#include "kernels/cuda/random/register.h"
#include "kernels/cuda/training/register.h"

namespace sluice::kernels {
namespace {

constexpr KernelFolder kFolders[] = {
    {"cuda", "math", RegisterCudaMath},
    {"cuda", "nn", RegisterCudaNn},
    {"cuda", "random", RegisterCudaRandom},
    {"cuda", "training", RegisterCudaTraining},
};

}  // namespace

absl::Span<const KernelFolder> CudaKernelFolders() { return kFolders; }

}  // namespace sluice::kernels
