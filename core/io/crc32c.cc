// SPDX-License-Identifier: Apache-2.0
#include "core/io/crc32c.h"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

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

// x^power modulo the polynomial, as a factor of carry-less multiplication of bit-reversed words.
constexpr uint64_t FactorOf(int power) {
  uint32_t crc = 0x80000000;
  for (int i = 0; i < power; ++i) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
  return uint64_t{crc} << 32;
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

#define SLUICE_WIDE __attribute__((target("avx512f,avx512vl,vpclmulqdq,pclmul,sse4.2")))

// Adds 64 bytes that are kBlock bytes further on to the four lanes of `sum`. Each lane is
// multiplied by x^(8 kBlock): its halves by two factors, because the product of 64 bits by 64 must
// fit.
SLUICE_WIDE inline __m512i Further(__m512i sum, __m512i factors, const char* bytes) {
  constexpr int kXorOfThree = 0x96;
  return _mm512_ternarylogic_epi64(_mm512_clmulepi64_epi128(sum, factors, 0x00),
                                   _mm512_clmulepi64_epi128(sum, factors, 0x11),
                                   _mm512_loadu_si512(bytes), kXorOfThree);
}

// Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ", 2009: folds all
// blocks into the last one, whose sum is that of all.
constexpr size_t kBlock = 256;
SLUICE_WIDE uint32_t ByFolding(absl::string_view& bytes, uint32_t crc) {
  constexpr uint64_t kFirstHalf = FactorOf(8 * kBlock + 63), kSecondHalf = FactorOf(8 * kBlock - 1);
  const __m512i factors =
      _mm512_set4_epi64(static_cast<int64_t>(kSecondHalf), static_cast<int64_t>(kFirstHalf),
                        static_cast<int64_t>(kSecondHalf), static_cast<int64_t>(kFirstHalf));
  const char* at = bytes.data();
  __m512i a = _mm512_xor_si512(_mm512_loadu_si512(at),
                               _mm512_zextsi128_si512(_mm_cvtsi32_si128(static_cast<int>(crc))));
  __m512i b = _mm512_loadu_si512(at + 64);
  __m512i c = _mm512_loadu_si512(at + 128);
  __m512i d = _mm512_loadu_si512(at + 192);
  for (bytes.remove_prefix(kBlock); bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
    at = bytes.data();
    a = Further(a, factors, at);
    b = Further(b, factors, at + 64);
    c = Further(c, factors, at + 128);
    d = Further(d, factors, at + 192);
  }
  char last[kBlock];
  _mm512_storeu_si512(last, a);
  _mm512_storeu_si512(last + 64, b);
  _mm512_storeu_si512(last + 128, c);
  _mm512_storeu_si512(last + 192, d);
  uint64_t sum = 0;
  for (size_t i = 0; i < kBlock; i += 8) sum = __builtin_ia32_crc32di(sum, Word(last + i));
  return static_cast<uint32_t>(sum);
}
#undef SLUICE_WIDE

// Folding has a fixed cost of about 30 ns.
constexpr size_t kWorthFolding = 2048;

bool CanFold() {
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
         __builtin_cpu_supports("vpclmulqdq") != 0;
}

__attribute__((target("sse4.2"))) uint32_t ByInstruction(absl::string_view bytes, uint32_t crc) {
  static const bool can_fold = CanFold();
  if (bytes.size() >= kWorthFolding && can_fold) crc = ByFolding(bytes, crc);
  crc = ByThree<4096>(bytes, crc);
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
