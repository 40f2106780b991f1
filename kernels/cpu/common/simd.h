// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_COMMON_SIMD_H_
#define SLUICE_KERNELS_CPU_COMMON_SIMD_H_

#include <type_traits>

// Loops compiled twice: for the processor that everything is built for, and for AVX-512.

namespace sluice::kernels {

#if defined(__x86_64__) && !defined(__clang__)

inline bool HasAvx512() {
  static const bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has;
}

namespace internal {
// Functions that the body calls are inlined, so that they are compiled for these processors too. No
// other function is.
template <typename Body>
[[gnu::flatten, gnu::noinline, gnu::noclone,
  gnu::target("avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")]] void
RunAvx512(const Body& body) {
  body();
}
template <typename Body>
[[gnu::flatten, gnu::noinline, gnu::noclone]] void RunPlain(const Body& body) {
  body();
}
}  // namespace internal

// Runs body(lanes), code with explicit vectors: a std::integral_constant of the floats that the
// widest vector has.
template <typename Body>
void WithVectorsOfFloats(const Body& body) {
  if (HasAvx512()) {
    internal::RunAvx512([&] { body(std::integral_constant<int, 16>{}); });
  } else {
    internal::RunPlain([&] { body(std::integral_constant<int, 8>{}); });
  }
}

// Runs body(), a loop that the compiler vectorises, with the widest vectors there are. This pays
// for loops that compute much for each element; loops that only move elements wait for memory.
template <typename Body>
void WithWidestVectors(const Body& body) {
  HasAvx512() ? internal::RunAvx512(body) : internal::RunPlain(body);
}

#else

template <typename Body>
void WithVectorsOfFloats(const Body& body) {
  body(std::integral_constant<int, 8>{});
}

template <typename Body>
void WithWidestVectors(const Body& body) {
  body();
}

#endif

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_COMMON_SIMD_H_
