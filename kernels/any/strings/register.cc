// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/strings/register.h"

namespace sluice::kernels {

void RegisterAnyStrings(KernelRegistry& kernels) {
  RegisterReinterpretString(kernels);
  RegisterStringElements(kernels);
  RegisterStringNGrams(kernels);
  RegisterStringNumbers(kernels);
  RegisterStringShapes(kernels);
  RegisterStringText(kernels);
  RegisterUnicode(kernels);
  RegisterStringJoin(kernels);
}

}  // namespace sluice::kernels
