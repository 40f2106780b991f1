// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_KERNELS_CUDA_THREAD_ORDERS_H_
#define SLUICE_TESTS_KERNELS_CUDA_THREAD_ORDERS_H_

#include <cstdint>

#ifdef SLUICE_CUDA_DOUBLE
#include "tests/cuda_double/control.h"
#endif

namespace sluice::cuda {

// Runs `test` with several orders of blocks and threads, where the double of the runtime runs them.
template <typename Test>
void InEachOrder(Test test) {
#ifdef SLUICE_CUDA_DOUBLE
  for (const uint64_t seed : {0, 1, 7}) {
    cuda_double::SetSeed(seed);
    test();
  }
  cuda_double::SetSeed(0);
#else
  test();
#endif
}

}  // namespace sluice::cuda

#endif  // SLUICE_TESTS_KERNELS_CUDA_THREAD_ORDERS_H_
