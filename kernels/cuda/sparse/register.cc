// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/sparse/register.h"

namespace sluice::kernels {

void RegisterCudaSparse(KernelRegistry& kernels) { RegisterCudaSparseMatMul(kernels); }

}  // namespace sluice::kernels
