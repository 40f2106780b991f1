#include "kernels/any/runtime/register.h"

namespace sluice::kernels {

void RegisterAnyRuntime(KernelRegistry& kernels) { RegisterSendRecv(kernels, kCpu); }

}  // namespace sluice::kernels
