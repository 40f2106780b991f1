#include "kernels/any/math/register.h"

namespace sluice::kernels {

void RegisterAnyMath(KernelRegistry& kernels) { RegisterVariantMath(kernels); }

}  // namespace sluice::kernels
