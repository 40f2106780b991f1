// SPDX-License-Identifier: Apache-2.0
// The part of core/device/cuda_launch.h that belongs to the double of the CUDA runtime.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_LAUNCH_H_
#define SLUICE_TESTS_CUDA_DOUBLE_LAUNCH_H_

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <type_traits>

#include "cuda_double/atomics.h"
#include "cuda_double/functions.h"
#include "cuda_double/thread.h"

// A kernel must not declare static shared memory: the double could not poison it for each block.
#undef __shared__
#define __shared__ static_assert(false, "use sluice::cuda::SharedMemory<T>()");

namespace sluice::cuda_double {

// Puts the kernel into the stream. `thread` runs it as the current thread.
cudaError_t LaunchKernel(const void* kernel, dim3 grid, dim3 block, size_t shared_bytes,
                         cudaStream_t stream, std::function<void()> thread);

}  // namespace sluice::cuda_double

namespace sluice::cuda {

template <typename T>
inline T* SharedMemory() {
  static_assert(alignof(T) <= 16, "shared memory is aligned to 16 bytes");
  return reinterpret_cast<T*>(cuda_double::BlockSharedMemory());
}

template <typename... Params>
cudaError_t LaunchArguments(void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared_bytes,
                            cudaStream_t stream, std::type_identity_t<Params>... arguments) {
  return cuda_double::LaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, shared_bytes,
                                   stream, [kernel, arguments...] { kernel(arguments...); });
}

}  // namespace sluice::cuda

#endif  // SLUICE_TESTS_CUDA_DOUBLE_LAUNCH_H_
