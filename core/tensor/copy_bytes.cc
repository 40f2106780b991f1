// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/copy_bytes.h"

#include <emmintrin.h>

#include <cstdint>
#include <cstring>

namespace sluice {
namespace {

constexpr size_t kLargerThanCaches = 8 << 20;
constexpr size_t kLine = 64;

}  // namespace

void CopyBytes(void* to, const void* from, size_t bytes) {
  if (bytes < kLargerThanCaches) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return;
  }
  auto* out = static_cast<char*>(to);
  const auto* in = static_cast<const char*>(from);
  const size_t before = -reinterpret_cast<uintptr_t>(out) % kLine;
  std::memcpy(out, in, before);
  const size_t lines = (bytes - before) / kLine * kLine;
  for (size_t at = before; at < before + lines; at += kLine) {
    const auto* source = reinterpret_cast<const __m128i*>(in + at);
    auto* target = reinterpret_cast<__m128i*>(out + at);
    const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
    const __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
    _mm_stream_si128(target, a);
    _mm_stream_si128(target + 1, b);
    _mm_stream_si128(target + 2, c);
    _mm_stream_si128(target + 3, d);
  }
  _mm_sfence();  // later writes, for example of a flag, become visible after these lines
  const size_t done = before + lines;
  std::memcpy(out + done, in + done, bytes - done);
}

}  // namespace sluice
