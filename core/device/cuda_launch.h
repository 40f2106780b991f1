// SPDX-License-Identifier: Apache-2.0
// Launches of CUDA kernels and the shared memory of a block, for device code and launch functions.
//
// The same sources are compiled twice: by nvcc for a GPU, and by g++ for the double of the CUDA
// runtime in tests/cuda_double/. Only this header distinguishes them.
#ifndef SLUICE_CORE_DEVICE_CUDA_LAUNCH_H_
#define SLUICE_CORE_DEVICE_CUDA_LAUNCH_H_

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

// Each of the two defines, in sluice::cuda:
//
//   SharedMemory<T>()          the dynamic shared memory of the block; only in device code
//   LaunchArguments(kernel, grid, block, shared_bytes, stream, arguments...)
//                              launches with arguments of exactly the kernel's types
#ifdef SLUICE_CUDA_DOUBLE
#include "cuda_double/launch.h"
#else
#include "core/device/cuda_launch_gpu.h"
#endif

namespace sluice::cuda {

// Launches `kernel` in `stream`; returns before it ran. The arguments are converted to the types of
// the kernel's parameters and copied. An empty grid is not launched: cudaSuccess.
//
// Errors: those of the launch itself. Errors of the run come from later calls for the stream.
template <typename... Params, typename... Args>
cudaError_t Launch(void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared_bytes,
                   cudaStream_t stream, Args&&... args) {
  static_assert(sizeof...(Params) == sizeof...(Args), "a kernel gets as many arguments as it has");
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return cudaSuccess;
  return LaunchArguments(kernel, grid, block, shared_bytes, stream,
                         static_cast<Params>(std::forward<Args>(args))...);
}

// A grid of one dimension.
struct Span1D {
  dim3 grid, block;
};

// Number of blocks for n elements, for kernels with a grid-stride loop: one thread per element, but
// no more blocks than fill a large GPU several times. 0 for n <= 0.
inline Span1D BlocksFor(int64_t n, int block = 256) {
  // blocks per multiprocessor, times the multiprocessors of a large GPU
  constexpr int64_t kMost = 32 * 132;
  const int64_t blocks = n <= 0 ? 0 : std::min((n - 1) / block + 1, kMost);
  return {dim3(static_cast<unsigned>(blocks)), dim3(static_cast<unsigned>(block))};
}

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_LAUNCH_H_
