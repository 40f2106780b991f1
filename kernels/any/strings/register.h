// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_STRINGS_REGISTER_H_
#define SLUICE_KERNELS_ANY_STRINGS_REGISTER_H_

#include "core/runtime/kernel_registry.h"

namespace sluice::kernels {

// Enters every kernel of this folder.
void RegisterAnyStrings(KernelRegistry& kernels);

// One function per file, at its end.
void RegisterStringElements(KernelRegistry& kernels);
void RegisterStringNGrams(KernelRegistry& kernels);
void RegisterStringNumbers(KernelRegistry& kernels);
void RegisterStringShapes(KernelRegistry& kernels);
void RegisterStringText(KernelRegistry& kernels);
void RegisterUnicode(KernelRegistry& kernels);
void RegisterStringJoin(KernelRegistry& kernels);
void RegisterReinterpretString(KernelRegistry& kernels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_STRINGS_REGISTER_H_
