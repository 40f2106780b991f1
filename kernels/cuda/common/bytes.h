// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CUDA_COMMON_BYTES_H_
#define SLUICE_KERNELS_CUDA_COMMON_BYTES_H_

#include <cuda_runtime_api.h>

#include <cstdint>

#include "kernels/cuda/common/element.h"

namespace sluice::cuda {

// 16 bytes that move at once.
struct alignas(16) Bytes16 {
  uint64_t low, high;
};

// Elements that are only moved, by their size: calls fn(Type<T>{}) for an unsigned T of so many
// bytes, or Bytes16.
template <typename Fn>
cudaError_t VisitBytes(int size, Fn&& fn) {
  switch (size) {
    case 1:
      return fn(Type<uint8_t>{});
    case 2:
      return fn(Type<uint16_t>{});
    case 4:
      return fn(Type<uint32_t>{});
    case 8:
      return fn(Type<uint64_t>{});
    case 16:
      return fn(Type<Bytes16>{});
    default:
      return cudaErrorInvalidValue;
  }
}

// How many elements of `size` bytes move as one of up to 16 bytes: both addresses are aligned to
// it, and it divides `count`.
inline int WidestMove(int size, const void* a, const void* b, int64_t count) {
  int factor = 16 / size;
  const auto bits = reinterpret_cast<uintptr_t>(a) | reinterpret_cast<uintptr_t>(b);
  while (factor > 1 && (bits % static_cast<uintptr_t>(factor * size) != 0 || count % factor != 0))
    factor /= 2;
  return factor;
}

}  // namespace sluice::cuda

#endif  // SLUICE_KERNELS_CUDA_COMMON_BYTES_H_
