// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/debug/register.h"

namespace sluice::kernels {

void RegisterCudaDebug(KernelRegistry& kernels) { RegisterCudaCheckNumerics(kernels); }

}  // namespace sluice::kernels
