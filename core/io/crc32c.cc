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
// The register after `zeros` more bytes that are zero, by each byte of the register before.
using ZeroTables = std::array<std::array<uint32_t, 256>, 4>;
constexpr ZeroTables AfterZeros(int zeros) {
  ZeroTables after{};
  for (int bit = 0; bit < 32; ++bit) {
    uint32_t crc = uint32_t{1} << bit;
    for (int i = 0; i < zeros; ++i) crc = (crc >> 8) ^ kTable[crc & 0xff];
    auto& table = after[bit / 8];
    const uint32_t one = uint32_t{1} << (bit % 8);
    for (uint32_t lower = 0; lower < one; ++lower) table[one | lower] = table[lower] ^ crc;
  }
  return after;
}

uint64_t Word(const char* from) {
  uint64_t word;
  std::memcpy(&word, from, 8);
  return word;
}

// Takes three parts of kPart bytes at a time. The instruction takes three cycles, but one can begin
// in each cycle, so the parts are computed side by side, and then put together.
template <int kPart>
__attribute__((target("sse4.2"))) uint32_t ByThree(absl::string_view& bytes, uint32_t crc) {
  static constexpr ZeroTables kAfter = AfterZeros(kPart);
  const auto after = [](uint64_t crc) {
    return kAfter[0][crc & 0xff] ^ kAfter[1][crc >> 8 & 0xff] ^ kAfter[2][crc >> 16 & 0xff] ^
           kAfter[3][crc >> 24];
  };
  for (; bytes.size() >= 3 * kPart; bytes.remove_prefix(3 * kPart)) {
    uint64_t first = crc, second = 0, third = 0;
    for (int i = 0; i < kPart; i += 8) {
      const char* at = bytes.data() + i;
      first = __builtin_ia32_crc32di(first, Word(at));
      second = __builtin_ia32_crc32di(second, Word(at + kPart));
      third = __builtin_ia32_crc32di(third, Word(at + 2 * kPart));
    }
    crc = after(after(first) ^ second) ^ static_cast<uint32_t>(third);
  }
  return crc;
}

__attribute__((target("sse4.2"))) uint32_t ByInstruction(absl::string_view bytes, uint32_t crc) {
  crc = ByThree<256>(bytes, crc);
  crc = ByThree<64>(bytes, crc);
  uint64_t wide = crc;
  for (; bytes.size() >= 8; bytes.remove_prefix(8))
    wide = __builtin_ia32_crc32di(wide, Word(bytes.data()));
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
