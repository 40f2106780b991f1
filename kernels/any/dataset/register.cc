// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/dataset/register.h"

namespace sluice::kernels {

void RegisterAnyDataset(KernelRegistry& kernels) { RegisterOptionals(kernels); }

}  // namespace sluice::kernels
