// SPDX-License-Identifier: Apache-2.0
// Memory that shows accesses that it should not have had.
#ifndef SLUICE_TESTS_CUDA_DOUBLE_POISON_H_
#define SLUICE_TESTS_CUDA_DOUBLE_POISON_H_

#include <cstddef>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace sluice::cuda_double {

// The byte of guard zones; another one than that of memory nobody has written.
constexpr unsigned char kGuardByte = 0xC3;

// True if all bytes are `byte`.
inline bool AllBytesAre(const void* memory, unsigned char byte, size_t bytes) {
  const auto* at = static_cast<const unsigned char*>(memory);
  return bytes == 0 || (at[0] == byte && std::memcmp(at, at + 1, bytes - 1) == 0);
}

// AddressSanitizer reports every access from now on, or none.
inline void CloseMemory([[maybe_unused]] const void* memory, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_POISON_MEMORY_REGION(memory, bytes);
#endif
}
inline void OpenMemory([[maybe_unused]] const void* memory, [[maybe_unused]] size_t bytes) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(memory, bytes);
#endif
}

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_POISON_H_
