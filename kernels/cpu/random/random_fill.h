// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_RANDOM_FILL_H_
#define SLUICE_KERNELS_CPU_RANDOM_RANDOM_FILL_H_

#include "kernels/common/random/random_ops.h"
#include "kernels/cpu/random/distributions.h"

namespace sluice::kernels {

// Fills host memory, with the threads of the context's pool.
const RandomFiller& CpuRandomFiller();

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_RANDOM_FILL_H_
