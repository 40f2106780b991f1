// SPDX-License-Identifier: Apache-2.0
// Runs the blocks of a kernel.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_BLOCK_H_
#define SLUICE_TESTS_CUDA_DOUBLE_BLOCK_H_

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "tests/cuda_double/order.h"

namespace sluice::cuda_double {

// A kernel as it was put into a stream.
struct Kernel {
  dim3 grid, block;
  size_t shared_bytes = 0;
  std::function<void()> thread;  // runs it as the current thread
};

// Runs all blocks, one after another, on this thread of the host. Empty, or what went wrong in the
// first block that failed: threads that did not meet at a barrier, shared memory written outside of
// its bounds.
std::string RunKernel(const Kernel& kernel, Direction direction, Chance& chance);

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_BLOCK_H_
