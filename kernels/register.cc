#include "kernels/register.h"

namespace sluice::kernels {

void RegisterAllKernels(KernelRegistry& kernels) {
  RegisterFlow(kernels, kCpu);
  RegisterSendRecv(kernels, kCpu);
  RegisterState(kernels);
  RegisterResourceVariables(kernels);
  RegisterTensorArrays(kernels);
  RegisterStacks(kernels);

  RegisterMatMul(kernels);
  RegisterBias(kernels);
  RegisterSoftmax(kernels);
  RegisterTraining(kernels);
  RegisterConv(kernels);
  RegisterDepthwiseConv(kernels);
  RegisterPooling(kernels);
  RegisterBatchNorm(kernels);
  RegisterLrn(kernels);
  RegisterRandom(kernels);
}

}  // namespace sluice::kernels
