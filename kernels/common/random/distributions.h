// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_DISTRIBUTIONS_H_
#define SLUICE_KERNELS_COMMON_RANDOM_DISTRIBUTIONS_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <type_traits>

#include "kernels/common/philox.h"
#include "kernels/common/rounded.h"

// Converts words to numbers by TensorFlow's rules, so that the same seed gives the same values.
//
// The functions are constexpr, which nvcc compiles for the GPU too. A narrow type T has a
// NarrowFormat and converts from float.

namespace sluice::kernels {

// [0, 1): random bits are the mantissa of a number in [1, 2); then 1 is subtracted.
constexpr float UniformFloat(uint32_t w) {
  return std::bit_cast<float>(0x3F800000u | (w & 0x7FFFFFu)) - 1.0f;
}
constexpr double UniformDouble(uint32_t w0, uint32_t w1) {
  return std::bit_cast<double>(uint64_t{1023} << 52 | static_cast<uint64_t>(w0 & 0xFFFFFu) << 32 |
                               w1) -
         1.0;
}
template <typename N>
constexpr N UniformNarrow(uint32_t w) {
  constexpr int kBits = NarrowFormat<N>::kMantissaBits;
  constexpr float kUnit = 1.0f / (1 << kBits);
  return N(static_cast<float>(w & ((1u << kBits) - 1)) * kUnit);
}

// Two normal deviates of two uniform ones (Box and Muller, 1958).
template <typename F>
struct NormalPair {
  F first, second;

  static constexpr NormalPair Of(F u, F v) {
    const F radius = std::sqrt(F(-2) * std::log(std::max(u, F(1.0e-7))));
    const F angle = static_cast<F>(2 * std::numbers::pi * v);  // rounded once
    return {radius * std::sin(angle), radius * std::cos(angle)};
  }
};

constexpr NormalPair<float> NormalFloats(uint32_t w0, uint32_t w1) {
  return NormalPair<float>::Of(UniformFloat(w0), UniformFloat(w1));
}
constexpr NormalPair<double> NormalDoubles(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
  return NormalPair<double>::Of(UniformDouble(w0, w1), UniformDouble(w2, w3));
}

// Values from one block: 4, or 2 of 64 bits.
template <typename T>
inline constexpr int kPerBlock = sizeof(T) == 8 ? 2 : 4;

// A distribution fills group g, kPerBlock<T> values, of its outputs. Most make a group of one block.

template <typename T>
struct Uniform {
  constexpr void Fill(const Philox& philox, int64_t group, T* out) const {
    FromBlock(philox.At(group), out);
  }
  static constexpr void FromBlock(const Philox::Block& w, T* out) {
    if constexpr (std::is_same_v<T, double>) {
      for (int i = 0; i < 2; ++i) out[i] = UniformDouble(w[2 * i], w[2 * i + 1]);
    } else {
      for (int i = 0; i < 4; ++i) {
        if constexpr (std::is_same_v<T, float>)
          out[i] = UniformFloat(w[i]);
        else
          out[i] = UniformNarrow<T>(w[i]);
      }
    }
  }
};

// REQUIRES: low < high.
template <typename T>
struct UniformInt {
  using U = std::make_unsigned_t<T>;
  T low, high;

  constexpr void Fill(const Philox& philox, int64_t group, T* out) const {
    FromBlock(philox.At(group), out);
  }
  constexpr void FromBlock(const Philox::Block& w, T* out) const {
    const U range = static_cast<U>(high) - static_cast<U>(low);
    for (int i = 0; i < kPerBlock<T>; ++i) {
      U bits;
      if constexpr (sizeof(T) == 8)
        bits = w[2 * i] | static_cast<U>(w[2 * i + 1]) << 32;
      else
        bits = w[i];
      out[i] = static_cast<T>(static_cast<U>(low) + bits % range);
    }
  }
};

// All values of T are equally likely.
template <typename T>
struct UniformFullInt {
  constexpr void Fill(const Philox& philox, int64_t group, T* out) const {
    FromBlock(philox.At(group), out);
  }
  static constexpr void FromBlock(const Philox::Block& w, T* out) {
    for (int i = 0; i < kPerBlock<T>; ++i) {
      if constexpr (sizeof(T) == 8)
        out[i] = static_cast<T>(w[2 * i] | static_cast<uint64_t>(w[2 * i + 1]) << 32);
      else
        out[i] = static_cast<T>(w[i]);
    }
  }
};

template <typename T>
struct Normal {
  constexpr void Fill(const Philox& philox, int64_t group, T* out) const {
    FromBlock(philox.At(group), out);
  }
  static constexpr void FromBlock(const Philox::Block& w, T* out) {
    if constexpr (std::is_same_v<T, double>) {
      const auto pair = NormalDoubles(w[0], w[1], w[2], w[3]);
      out[0] = pair.first;
      out[1] = pair.second;
    } else {
      for (int i = 0; i < 4; i += 2) {
        const auto pair = NormalFloats(w[i], w[i + 1]);
        out[i] = T(pair.first);
        out[i + 1] = T(pair.second);
      }
    }
  }
};

// Normal deviates with absolute value below 2. Each value has 64 blocks, from which a group draws
// until it has enough.
template <typename T>
struct TruncatedNormal {
  constexpr void Fill(const Philox& philox, int64_t group, T* out) const {
    PhiloxWords words(philox, static_cast<uint64_t>(group) * kPerBlock<T> * 64);
    int filled = 0;
    while (filled < kPerBlock<T>) {
      const uint32_t a = words.Next(), b = words.Next();
      if constexpr (std::is_same_v<T, double>) {
        const uint32_t c = words.Next(), d = words.Next();
        Take(NormalDoubles(a, b, c, d), out, filled);
      } else {
        Take(NormalFloats(a, b), out, filled);
      }
    }
  }

 private:
  template <typename F>
  static constexpr void Take(NormalPair<F> pair, T* out, int& filled) {
    if (std::abs(pair.first) < 2) out[filled++] = T(pair.first);
    if (filled < kPerBlock<T> && std::abs(pair.second) < 2) out[filled++] = T(pair.second);
  }
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_DISTRIBUTIONS_H_
