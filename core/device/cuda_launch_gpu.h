// SPDX-License-Identifier: Apache-2.0
// Launches by the CUDA runtime; include cuda_launch.h instead.
#ifndef SLUICE_CORE_DEVICE_CUDA_LAUNCH_GPU_H_
#define SLUICE_CORE_DEVICE_CUDA_LAUNCH_GPU_H_

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

namespace sluice::cuda {

template <typename T>
__device__ inline T* SharedMemory() {
  static_assert(alignof(T) <= 16, "shared memory is aligned to 16 bytes");
  extern __shared__ __align__(16) unsigned char sluice_shared_memory[];
  return reinterpret_cast<T*>(sluice_shared_memory);
}

template <typename... Params>
cudaError_t LaunchArguments(void (*kernel)(Params...), dim3 grid, dim3 block, size_t shared_bytes,
                            cudaStream_t stream, std::type_identity_t<Params>... arguments) {
  // A kernel that uses more must declare it.
  if (shared_bytes > (size_t{48} << 10)) {
    const cudaError_t error = cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                                   cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                   static_cast<int>(shared_bytes));
    if (error != cudaSuccess) return error;
  }
  cudaLaunchConfig_t config = {};
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  void* addresses[sizeof...(Params) + 1] = {
      const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
  return cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), addresses);
}

}  // namespace sluice::cuda

#endif  // SLUICE_CORE_DEVICE_CUDA_LAUNCH_GPU_H_
