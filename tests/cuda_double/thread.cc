// SPDX-License-Identifier: Apache-2.0
#include "cuda_double/thread.h"

SLUICE_CURRENT uint3 threadIdx = {0, 0, 0};
SLUICE_CURRENT uint3 blockIdx = {0, 0, 0};
SLUICE_CURRENT dim3 blockDim(1, 1, 1);
SLUICE_CURRENT dim3 gridDim(1, 1, 1);
