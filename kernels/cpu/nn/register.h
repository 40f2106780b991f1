// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_REGISTER_H_
#define SLUICE_KERNELS_CPU_NN_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterCpuNn(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterBias(KernelRegistry& kernels);
void RegisterSoftmax(KernelRegistry& kernels);
void RegisterConv(KernelRegistry& kernels);
void RegisterDepthwiseConv(KernelRegistry& kernels);
void RegisterMaxPooling(KernelRegistry& kernels);
void RegisterAvgPooling(KernelRegistry& kernels);
void RegisterBatchNorm(KernelRegistry& kernels);
void RegisterLrn(KernelRegistry& kernels);
void RegisterLshProbes(KernelRegistry& kernels);
void RegisterActivationGrad(KernelRegistry& kernels);
void RegisterGatherTree(KernelRegistry& kernels);
void RegisterTopK(KernelRegistry& kernels);
void RegisterGlobalBatchNorm(KernelRegistry& kernels);
void RegisterFusedPadConv(KernelRegistry& kernels);
void RegisterDataFormats(KernelRegistry& kernels);
void RegisterIsotonicRegression(KernelRegistry& kernels);
void RegisterNthElement(KernelRegistry& kernels);
void RegisterDilation(KernelRegistry& kernels);
void RegisterFractionalPool(KernelRegistry& kernels);
void RegisterActivations(KernelRegistry& kernels);
void RegisterCtcLoss(KernelRegistry& kernels);
void RegisterCtcGreedyDecoder(KernelRegistry& kernels);
void RegisterCtcBeamSearchDecoder(KernelRegistry& kernels);
void RegisterSkipgram(KernelRegistry& kernels);
void RegisterSkipGramCandidates(KernelRegistry& kernels);
void RegisterNegTrain(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_NN_REGISTER_H_
