// SPDX-License-Identifier: Apache-2.0
#include "core/io/crc32c.h"

#include <array>
#include <cstring>

namespace sluice {
namespace {

constexpr uint32_t kPolynomial = 0x82f63b78;  // bit-reversed

constexpr std::array<uint32_t, 256> kTable = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    table[i] = crc;
  }
  return table;
}();

uint32_t ByTable(absl::string_view bytes, uint32_t crc) {
  for (const char c : bytes) crc = (crc >> 8) ^ kTable[(crc ^ static_cast<uint8_t>(c)) & 0xff];
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t ByInstruction(absl::string_view bytes, uint32_t crc) {
  uint64_t wide = crc;
  while (bytes.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), 8);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes.remove_prefix(8);
  }
  crc = static_cast<uint32_t>(wide);
  for (const char c : bytes) crc = __builtin_ia32_crc32qi(crc, static_cast<uint8_t>(c));
  return crc;
}
#endif

}  // namespace

uint32_t Crc32c(absl::string_view bytes, uint32_t crc) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return ~ByInstruction(bytes, ~crc);
#endif
  return ~ByTable(bytes, ~crc);
}

}  // namespace sluice
