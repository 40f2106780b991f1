#ifndef SLUICE_KERNELS_REGISTER_H_
#define SLUICE_KERNELS_REGISTER_H_

#include "absl/strings/string_view.h"
#include "core/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this program: the only thing that floors above need to know of kernels/.
void RegisterAllKernels(KernelRegistry& kernels);

// One function per family; each stands at the end of the family's file.

// any/: no arithmetic on device memory, or host state that all devices share.
void RegisterFlow(KernelRegistry& kernels, absl::string_view device_type);
void RegisterSendRecv(KernelRegistry& kernels, absl::string_view device_type);
void RegisterState(KernelRegistry& kernels);
void RegisterResourceVariables(KernelRegistry& kernels);
void RegisterTensorArrays(KernelRegistry& kernels);
void RegisterStacks(KernelRegistry& kernels);

// cpu/
void RegisterMatMul(KernelRegistry& kernels);
void RegisterBias(KernelRegistry& kernels);
void RegisterSoftmax(KernelRegistry& kernels);
void RegisterTraining(KernelRegistry& kernels);
void RegisterConv(KernelRegistry& kernels);
void RegisterDepthwiseConv(KernelRegistry& kernels);
void RegisterPooling(KernelRegistry& kernels);
void RegisterBatchNorm(KernelRegistry& kernels);
void RegisterLrn(KernelRegistry& kernels);
void RegisterRandom(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_REGISTER_H_
