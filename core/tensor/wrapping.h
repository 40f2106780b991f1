// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_WRAPPING_H_
#define SLUICE_CORE_TENSOR_WRAPPING_H_

#include <cstdint>
#include <type_traits>

#include "core/tensor/float16.h"

// Sums and products of any element type: integers wrap, Half and Bfloat16 compute as float.

namespace sluice {

template <typename T>
T SumOf(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return static_cast<T>(static_cast<ComputeType<T>>(a) + static_cast<ComputeType<T>>(b));
}

template <typename T>
T ProductOf(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return static_cast<T>(static_cast<ComputeType<T>>(a) * static_cast<ComputeType<T>>(b));
}

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_WRAPPING_H_
