// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {

void RegisterCpuQuantized(KernelRegistry& kernels) {
  RegisterFakeQuant(kernels);
  RegisterQuantize(kernels);
  RegisterQuantizeAndDequantize(kernels);
}

}  // namespace sluice::kernels
