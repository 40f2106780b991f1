// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_DISTRIBUTIONS_H_
#define SLUICE_KERNELS_CPU_RANDOM_DISTRIBUTIONS_H_

// The distributions, for the host's half and bfloat16 too.
#include "kernels/common/random/distributions.h"
#include "kernels/cpu/common/rounded.h"

#endif  // SLUICE_KERNELS_CPU_RANDOM_DISTRIBUTIONS_H_
