#include "kernels/any/state/register.h"

namespace sluice::kernels {

void RegisterAnyState(KernelRegistry& kernels) {
  RegisterState(kernels);
  RegisterResourceVariables(kernels);
  RegisterMutexes(kernels);
}

}  // namespace sluice::kernels
