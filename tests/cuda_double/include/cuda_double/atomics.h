// SPDX-License-Identifier: Apache-2.0
// CUDA's atomic functions, for the types that a GPU supports. Each returns the old value.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_ATOMICS_H_
#define SLUICE_TESTS_CUDA_DOUBLE_ATOMICS_H_

#include <atomic>

namespace sluice::cuda_double {

template <typename T, typename Change>
T ChangeAtomically(T* address, Change change) {
  std::atomic_ref<T> value(*address);
  T old = value.load(std::memory_order_relaxed);
  while (!value.compare_exchange_weak(old, change(old), std::memory_order_relaxed)) {
  }
  return old;
}

}  // namespace sluice::cuda_double

#define SLUICE_ATOMIC(name, T, result)                                                         \
  inline T name(T* address, T operand) {                                                       \
    return sluice::cuda_double::ChangeAtomically(address, [&](T old) -> T { return result; }); \
  }
#define SLUICE_ATOMIC_ADD(T) SLUICE_ATOMIC(atomicAdd, T, old + operand)
#define SLUICE_ATOMIC_EXCHANGE(T) SLUICE_ATOMIC(atomicExch, T, ((void)old, operand))
#define SLUICE_ATOMIC_ORDER(T)                               \
  SLUICE_ATOMIC(atomicMax, T, old < operand ? operand : old) \
  SLUICE_ATOMIC(atomicMin, T, operand < old ? operand : old) \
  SLUICE_ATOMIC(atomicAnd, T, old& operand)                  \
  SLUICE_ATOMIC(atomicOr, T, old | operand)                  \
  SLUICE_ATOMIC(atomicXor, T, old ^ operand)
#define SLUICE_ATOMIC_SWAP(T)                                                        \
  inline T atomicCAS(T* address, T expected, T operand) {                            \
    std::atomic_ref<T>(*address).compare_exchange_strong(expected, operand,          \
                                                         std::memory_order_relaxed); \
    return expected;                                                                 \
  }

// Signed addition wraps, as the GPU's does.
inline int atomicAdd(int* address, int operand) {
  return std::atomic_ref<int>(*address).fetch_add(operand, std::memory_order_relaxed);
}
inline int atomicSub(int* address, int operand) {
  return std::atomic_ref<int>(*address).fetch_sub(operand, std::memory_order_relaxed);
}
SLUICE_ATOMIC_ADD(unsigned)
SLUICE_ATOMIC_ADD(unsigned long long)
SLUICE_ATOMIC_ADD(float)
SLUICE_ATOMIC_ADD(double)
SLUICE_ATOMIC(atomicSub, unsigned, old - operand)
SLUICE_ATOMIC_EXCHANGE(int)
SLUICE_ATOMIC_EXCHANGE(unsigned)
SLUICE_ATOMIC_EXCHANGE(unsigned long long)
SLUICE_ATOMIC_EXCHANGE(float)
SLUICE_ATOMIC_ORDER(int)
SLUICE_ATOMIC_ORDER(unsigned)
SLUICE_ATOMIC_ORDER(long long)
SLUICE_ATOMIC_ORDER(unsigned long long)
SLUICE_ATOMIC_SWAP(int)
SLUICE_ATOMIC_SWAP(unsigned)
SLUICE_ATOMIC_SWAP(unsigned long long)
SLUICE_ATOMIC_SWAP(unsigned short)

#undef SLUICE_ATOMIC
#undef SLUICE_ATOMIC_ADD
#undef SLUICE_ATOMIC_EXCHANGE
#undef SLUICE_ATOMIC_ORDER
#undef SLUICE_ATOMIC_SWAP

#endif  // SLUICE_TESTS_CUDA_DOUBLE_ATOMICS_H_
