#include "kernels/any/control_flow/register.h"

namespace sluice::kernels {

void RegisterAnyControlFlow(KernelRegistry& kernels) { RegisterFlow(kernels, kCpu); }

}  // namespace sluice::kernels
