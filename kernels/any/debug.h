#ifndef SLUICE_KERNELS_ANY_DEBUG_H_
#define SLUICE_KERNELS_ANY_DEBUG_H_

#include "core/kernel_registry.h"

namespace sluice::kernels {

// The ops of TensorFlow's debugger: Copy, CopyHost, DebugIdentity, DebugNanCount,
// DebugNumericSummary.
void RegisterDebugOps(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DEBUG_H_
