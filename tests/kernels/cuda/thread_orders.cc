// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/thread_orders.h"

#include <cstdint>

#ifdef SLUICE_CUDA_DOUBLE
#include "tests/cuda_double/control.h"
#endif

namespace sluice::cuda {

#ifdef SLUICE_CUDA_DOUBLE

void InEachOrder(absl::FunctionRef<void()> test) {
  for (const uint64_t seed : {0, 1, 7}) {
    cuda_double::SetSeed(seed);
    test();
  }
  cuda_double::SetSeed(0);
}

#else

void InEachOrder(absl::FunctionRef<void()> test) { test(); }

#endif

}  // namespace sluice::cuda
