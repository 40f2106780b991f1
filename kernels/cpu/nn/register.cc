// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/nn/register.h"

namespace sluice::kernels {

void RegisterCpuNn(KernelRegistry& kernels) {
  RegisterBias(kernels);
  RegisterSoftmax(kernels);
  RegisterConv(kernels);
  RegisterDepthwiseConv(kernels);
  RegisterMaxPooling(kernels);
  RegisterAvgPooling(kernels);
  RegisterBatchNorm(kernels);
  RegisterLrn(kernels);
  RegisterLshProbes(kernels);
  RegisterActivationGrad(kernels);
  RegisterGatherTree(kernels);
  RegisterTopK(kernels);
  RegisterGlobalBatchNorm(kernels);
  RegisterFusedPadConv(kernels);
  RegisterDataFormats(kernels);
  RegisterIsotonicRegression(kernels);
  RegisterNthElement(kernels);
  RegisterDilation(kernels);
  RegisterFractionalPool(kernels);
  RegisterActivations(kernels);
  RegisterCtcLoss(kernels);
  RegisterCtcGreedyDecoder(kernels);
  RegisterCtcBeamSearchDecoder(kernels);
  RegisterSkipgram(kernels);
  RegisterSkipGramCandidates(kernels);
  RegisterNegTrain(kernels);
}

}  // namespace sluice::kernels
