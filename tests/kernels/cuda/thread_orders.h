// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_KERNELS_CUDA_THREAD_ORDERS_H_
#define SLUICE_TESTS_KERNELS_CUDA_THREAD_ORDERS_H_

#include "absl/functional/function_ref.h"

namespace sluice::cuda {

// Runs `test` with several orders of blocks and threads, where the double of the runtime runs them.
void InEachOrder(absl::FunctionRef<void()> test);

}  // namespace sluice::cuda

#endif  // SLUICE_TESTS_KERNELS_CUDA_THREAD_ORDERS_H_
