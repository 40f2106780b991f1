// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/register.h"

#include "kernels/cuda/array/register.h"
#include "kernels/cuda/data_flow/register.h"
#include "kernels/cuda/list/register.h"
#include "kernels/cuda/math/register.h"
#include "kernels/cuda/nn/register.h"
#include "kernels/cuda/random/register.h"
#include "kernels/cuda/runtime/register.h"
#include "kernels/cuda/state/register.h"
#include "kernels/cuda/training/register.h"

namespace sluice::kernels {
namespace {

constexpr KernelFolder kFolders[] = {
    {"cuda", "array", RegisterCudaArray},
    {"cuda", "data_flow", RegisterCudaDataFlow},
    {"cuda", "list", RegisterCudaList},
    {"cuda", "math", RegisterCudaMath},
    {"cuda", "nn", RegisterCudaNn},
    {"cuda", "random", RegisterCudaRandom},
    {"cuda", "runtime", RegisterCudaRuntime},
    {"cuda", "state", RegisterCudaState},
    {"cuda", "training", RegisterCudaTraining},
};

}  // namespace

absl::Span<const KernelFolder> CudaKernelFolders() { return kFolders; }

}  // namespace sluice::kernels
