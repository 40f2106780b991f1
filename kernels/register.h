#ifndef SLUICE_KERNELS_REGISTER_H_
#define SLUICE_KERNELS_REGISTER_H_

#include <memory>

#include "core/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this program: the only thing that floors above need to know of kernels/.
void RegisterAllKernels(KernelRegistry& kernels);

// The same, made once.
std::shared_ptr<const KernelRegistry> AllKernels();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_REGISTER_H_
