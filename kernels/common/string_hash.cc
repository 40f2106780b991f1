// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/string_hash.h"

#include <bit>
#include <cstring>
#include <utility>

namespace sluice::kernels {
namespace {

template <typename T>
uint64_t Load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}
uint64_t Load64(const char* from) { return Load<uint64_t>(from); }
uint64_t Load32(const char* from) { return Load<uint32_t>(from); }

// ---- FarmHash: odd constants between 2^63 and 2^64, and mixing steps by length.

constexpr uint64_t kA = 0xc3a5c85c97cb3127, kB = 0xb492b66fbe98f273, kC = 0x9ae16a3b2f90404f;

uint64_t Fold(uint64_t v) { return v ^ (v >> 47); }

uint64_t Mix(uint64_t u, uint64_t v, uint64_t factor) {
  const uint64_t a = Fold((u ^ v) * factor);
  return Fold((v ^ a) * factor) * factor;
}

uint64_t UpTo16(const char* s, size_t n) {
  if (n >= 8) {
    const uint64_t factor = kC + n * 2, a = Load64(s) + kC, b = Load64(s + n - 8);
    return Mix(std::rotr(b, 37) * factor + a, (std::rotr(a, 25) + b) * factor, factor);
  }
  if (n >= 4) return Mix(n + (Load32(s) << 3), Load32(s + n - 4), kC + n * 2);
  if (n == 0) return kC;
  const auto first = static_cast<uint8_t>(s[0]), middle = static_cast<uint8_t>(s[n / 2]),
             last = static_cast<uint8_t>(s[n - 1]);
  const uint64_t y = first + (uint64_t{middle} << 8), z = n + (uint64_t{last} << 2);
  return Fold(y * kC ^ z * kA) * kC;
}

struct Halves {
  uint64_t low, high;
};

// The two words from which lengths 17 to 64 start.
Halves Ends(const char* s, size_t n, uint64_t first, uint64_t factor) {
  const uint64_t a = first, b = Load64(s + 8), c = Load64(s + n - 8) * factor,
                 d = Load64(s + n - 16) * kC;
  return {std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + kC, 18) + c};
}

uint64_t UpTo32(const char* s, size_t n) {
  const uint64_t factor = kC + n * 2;
  const Halves ends = Ends(s, n, Load64(s) * kB, factor);
  return Mix(ends.low, ends.high, factor);
}

uint64_t UpTo64(const char* s, size_t n) {
  const uint64_t factor = kC + n * 2, a = Load64(s) * kC;
  const Halves ends = Ends(s, n, a, factor);
  const uint64_t y = ends.low, z = Mix(y, ends.high, factor);
  const uint64_t e = Load64(s + 16) * factor, f = Load64(s + 24);
  const uint64_t g = (y + Load64(s + n - 32)) * factor, h = (z + Load64(s + n - 24)) * factor;
  return Mix(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g, factor);
}

// Mixes 32 bytes into two words (the weak hash).
Halves Absorb(const char* s, uint64_t a, uint64_t b) {
  a += Load64(s);
  b = std::rotr(b + a + Load64(s + 24), 21);
  const uint64_t start = a;
  a += Load64(s + 8) + Load64(s + 16);
  b += std::rotr(a, 44);
  return {a + Load64(s + 24), b + start};
}

struct LongState {
  uint64_t x, y, z;
  Halves v{0, 0}, w{0, 0};

  void Block(const char* s, uint64_t factor, uint64_t weight) {
    x = std::rotr(x + y + v.low + Load64(s + 8), 37) * factor;
    y = std::rotr(y + v.high + Load64(s + 48), 42) * factor;
    x ^= w.high * weight;
    y += v.low * weight + Load64(s + 40);
    z = std::rotr(z + w.low, 33) * factor;
    v = Absorb(s, v.high * factor, x + w.low);
    w = Absorb(s + 32, z + w.high, y + Load64(s + 16));
    std::swap(z, x);
  }
};

uint64_t Longer(const char* s, size_t n) {
  constexpr uint64_t kSeed = 81;
  const uint64_t y = kSeed * kB + 113;
  LongState state{kSeed * kC + Load64(s), y, Fold(y * kC + 113) * kC};
  const size_t whole = (n - 1) / 64 * 64, tail = (n - 1) & 63;
  for (size_t at = 0; at < whole; at += 64) state.Block(s + at, kB, 1);
  const uint64_t factor = kB + ((state.z & 0xff) << 1);
  state.w.low += tail;
  state.v.low += state.w.low;
  state.w.low += state.v.low;
  state.Block(s + n - 64, factor, 9);
  return Mix(Mix(state.v.low, state.w.low, factor) + Fold(state.y) * kA + state.z,
             Mix(state.v.high, state.w.high, factor) + state.x, factor);
}

// ---- 128 bits: a seed of two words, and mixing steps by length.

uint64_t MixCity(uint64_t u, uint64_t v) { return Mix(u, v, 0x9ddfea08eb382d69); }

Fingerprint128 UpTo127(const char* s, size_t n, Halves seed) {
  uint64_t a = seed.low, b = seed.high, c = 0, d = 0;
  if (n <= 16) {
    a = Fold(a * kB) * kB;
    c = b * kB + UpTo16(s, n);
    d = Fold(a + (n >= 8 ? Load64(s) : c));
  } else {
    c = MixCity(Load64(s + n - 8) + kB, a);
    d = MixCity(b + n, c + Load64(s + n - 16));
    a += d;
    for (size_t at = 0; at + 16 < n; at += 16) {
      a = (a ^ Fold(Load64(s + at) * kB) * kB) * kB;
      b ^= a;
      c = (c ^ Fold(Load64(s + at + 8) * kB) * kB) * kB;
      d ^= c;
    }
  }
  a = MixCity(a, c);
  b = MixCity(d, b);
  return {a ^ b, MixCity(b, a)};
}

Fingerprint128 From128(const char* s, size_t n, Halves seed) {
  LongState state{seed.low, seed.high, n * kB};
  state.v.low = std::rotr(state.y ^ kB, 49) * kB + Load64(s);
  state.v.high = std::rotr(state.v.low, 42) * kB + Load64(s + 8);
  state.w.low = std::rotr(state.y + state.z, 35) * kB + state.x;
  state.w.high = std::rotr(state.x + Load64(s + 88), 53) * kB;
  for (; n >= 128; s += 128, n -= 128) {
    state.Block(s, kB, 1);
    state.Block(s + 64, kB, 1);
  }
  state.x += std::rotr(state.v.low + state.z, 49) * kA;
  state.y = state.y * kA + std::rotr(state.w.high, 37);
  state.z = state.z * kA + std::rotr(state.w.low, 27);
  state.w.low *= 9;
  state.v.low *= kA;
  for (size_t done = 0; done < n;) {
    done += 32;  // from the end, into bytes that a block has mixed
    const char* at = s + n - done;
    state.y = std::rotr(state.x + state.y, 42) * kA + state.v.high;
    state.w.low += Load64(at + 16);
    state.x = state.x * kA + state.w.low;
    state.z += state.w.high + Load64(at);
    state.w.high += state.v.low;
    state.v = Absorb(at, state.v.low + state.z, state.v.high);
    state.v.low *= kA;
  }
  const uint64_t x = MixCity(state.x, state.v.low), y = MixCity(state.y + state.z, state.w.low);
  return {MixCity(x + state.v.high, state.w.high) + y, MixCity(x + state.w.high, y + state.v.high)};
}

// ---- SipHash

struct Sip {
  uint64_t v[4];

  void Round() {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = std::rotl(v[1], 13) ^ v[0];
    v[3] = std::rotl(v[3], 16) ^ v[2];
    v[0] = std::rotl(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = std::rotl(v[1], 17) ^ v[2];
    v[3] = std::rotl(v[3], 21) ^ v[0];
    v[2] = std::rotl(v[2], 32);
  }
  void Word(uint64_t word) {
    v[3] ^= word;
    Round();
    Round();
    v[0] ^= word;
  }
};

uint64_t Tail(const char* s, size_t n) {
  uint64_t value = 0;
  for (size_t i = 0; i < n; ++i) value |= uint64_t{static_cast<uint8_t>(s[i])} << (8 * i);
  return value;
}

}  // namespace

uint64_t MurmurHash64(absl::string_view s) {
  constexpr uint64_t kFactor = 0xc6a4a7935bd1e995, kSeed = 0xDECAFCAFFE;
  uint64_t h = kSeed ^ (s.size() * kFactor);
  size_t at = 0;
  for (; at + 8 <= s.size(); at += 8) {
    uint64_t k = Load64(s.data() + at) * kFactor;
    k = (k ^ (k >> 47)) * kFactor;
    h = (h ^ k) * kFactor;
  }
  if (at < s.size()) h = (h ^ Tail(s.data() + at, s.size() - at)) * kFactor;
  h = (h ^ (h >> 47)) * kFactor;
  return h ^ (h >> 47);
}

uint64_t FarmFingerprint64(absl::string_view s) {
  if (s.size() <= 16) return UpTo16(s.data(), s.size());
  if (s.size() <= 32) return UpTo32(s.data(), s.size());
  if (s.size() <= 64) return UpTo64(s.data(), s.size());
  return Longer(s.data(), s.size());
}

Fingerprint128 FarmFingerprint128(absl::string_view s) {
  const char* from = s.data();
  size_t n = s.size();
  Halves seed{kA, kB};
  if (n >= 16) {
    seed = {Load64(from), Load64(from + 8) + kA};
    from += 16;
    n -= 16;
  }
  return n < 128 ? UpTo127(from, n, seed) : From128(from, n, seed);
}

uint64_t SipHash24(const uint64_t key[2], absl::string_view s) {
  Sip sip{{key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d, key[0] ^ 0x6c7967656e657261,
           key[1] ^ 0x7465646279746573}};
  size_t at = 0;
  for (; at + 8 <= s.size(); at += 8) sip.Word(Load64(s.data() + at));
  sip.Word(Tail(s.data() + at, s.size() - at) | static_cast<uint64_t>(s.size()) << 56);
  sip.v[2] ^= 0xff;
  for (int i = 0; i < 4; ++i) sip.Round();
  return sip.v[0] ^ sip.v[1] ^ sip.v[2] ^ sip.v[3];
}

}  // namespace sluice::kernels
