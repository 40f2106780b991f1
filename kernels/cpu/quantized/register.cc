// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/quantized/register.h"

namespace sluice::kernels {

void RegisterCpuQuantized(KernelRegistry& kernels) {
  RegisterFakeQuant(kernels);
  RegisterQuantize(kernels);
  RegisterQuantizeAndDequantize(kernels);
  RegisterQuantizedActivation(kernels);
  RegisterQuantizedArithmetic(kernels);
  RegisterQuantizedArray(kernels);
  RegisterQuantizedConv(kernels);
  RegisterQuantizedMatMul(kernels);
  RegisterQuantizedNorm(kernels);
  RegisterQuantizedPooling(kernels);
  RegisterQuantizedResize(kernels);
}

}  // namespace sluice::kernels
