// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_NARROW_H_
#define SLUICE_KERNELS_COMMON_NARROW_H_

#include <algorithm>
#include <cstdint>

#include "core/tensor/float16.h"

// Converts half and bfloat16 to and from float, in blocks that fit into registers.

namespace sluice::kernels {

constexpr int64_t kNarrowBlock = 16;

#if defined(__AVX512F__)
// Stores whole registers: the processor does not forward two half stores to a load of the whole.
inline void WidenBlock(const Half* from, float* to) {
  _mm512_storeu_ps(to, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
}
inline void StoreBlock(const float* from, Half* to) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                      _mm512_cvtps_ph(_mm512_loadu_ps(from), _MM_FROUND_TO_NEAREST_INT));
}
#elif defined(__F16C__)
inline void WidenBlock(const Half* from, float* to) {
  for (int64_t i = 0; i < kNarrowBlock; i += 8) {
    _mm256_storeu_ps(to + i,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  }
}
inline void StoreBlock(const float* from, Half* to) {
  for (int64_t i = 0; i < kNarrowBlock; i += 8) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  }
}
#endif
template <typename N>
void WidenBlock(const N* from, float* to) {
  for (int64_t i = 0; i < kNarrowBlock; ++i) to[i] = static_cast<float>(from[i]);
}
template <typename From, typename To>
void StoreBlock(const From* from, To* to) {
  for (int64_t i = 0; i < kNarrowBlock; ++i) to[i] = static_cast<To>(from[i]);
}

template <typename N>
void WidenAll(const N* from, float* to, int64_t n) {
  int64_t i = 0;
  for (; i + kNarrowBlock <= n; i += kNarrowBlock) WidenBlock(from + i, to + i);
  for (; i < n; ++i) to[i] = static_cast<float>(from[i]);
}
template <typename N>
void NarrowAll(const float* from, N* to, int64_t n) {
  int64_t i = 0;
  for (; i + kNarrowBlock <= n; i += kNarrowBlock) StoreBlock(from + i, to + i);
  for (; i < n; ++i) to[i] = static_cast<N>(from[i]);
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_NARROW_H_
