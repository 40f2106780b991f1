// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CRC32C_H_
#define SLUICE_CORE_IO_CRC32C_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace sluice {

// CRC-32C (Castagnoli) of `bytes`, after bytes whose sum is `crc`.
uint32_t Crc32c(absl::string_view bytes, uint32_t crc = 0);

// The masked form for record files: a sum of bytes that contain sums would be weak.
inline uint32_t MaskCrc(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }
inline uint32_t UnmaskCrc(uint32_t masked) {
  const uint32_t rotated = masked - 0xa282ead8u;
  return (rotated >> 17) | (rotated << 15);
}

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CRC32C_H_
