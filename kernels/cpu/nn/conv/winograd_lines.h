// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_LINES_H_
#define SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_LINES_H_

// The transforms of minimal filtering F(4, 3) along one dimension: four outputs of a filter with
// three weights by six products instead of twelve.
//
//   outputs = Aᵀ [(G weights) * (Bᵀ inputs)]
//
// The polynomials are evaluated at 0, ±√½, ±√2 and infinity. (With 0, ±1, ±2 the rounding error is
// four times as large; Barabasz, Anderson, Soodhalter and Gregg, 2020.) Each struct has
// Apply(in, out): it reads in(i) for i < kIn, and calls out(i, value) for i < kOut.

namespace sluice::kernels::winograd {

constexpr float kA = 0.70710678118654752440F, kB = 1.41421356237309504880F;  // A * B = 1

// Bᵀ: inputs.
struct InputLine {
  static constexpr int kIn = 6, kOut = 6;
  template <typename In, typename Out>
  static void Apply(const In& in, const Out& out) {
    const auto x0 = in(0), x1 = in(1), x2 = in(2), x3 = in(3), x4 = in(4), x5 = in(5);
    const auto even_a = x4 - 2.0F * x2, odd_a = kA * x3 - kB * x1;
    const auto even_b = x4 - 0.5F * x2, odd_b = kB * x3 - kA * x1;
    out(0, x0 - 2.5F * x2 + x4);
    out(1, even_a + odd_a);
    out(2, even_a - odd_a);
    out(3, even_b + odd_b);
    out(4, even_b - odd_b);
    out(5, x1 - 2.5F * x3 + x5);
  }
};

// Aᵀ: outputs.
struct OutputLine {
  static constexpr int kIn = 6, kOut = 4;
  template <typename In, typename Out>
  static void Apply(const In& in, const Out& out) {
    const auto m1 = in(1), m2 = in(2), m3 = in(3), m4 = in(4);
    const auto sum_a = m1 + m2, difference_a = m1 - m2;
    const auto sum_b = m3 + m4, difference_b = m3 - m4;
    out(0, in(0) + sum_a + sum_b);
    out(1, kA * difference_a + kB * difference_b);
    out(2, 0.5F * sum_a + 2.0F * sum_b);
    out(3, (0.5F * kA) * difference_a + (2.0F * kB) * difference_b + in(5));
  }
};

// A: gradients of outputs.
struct OutputGradLine {
  static constexpr int kIn = 4, kOut = 6;
  template <typename In, typename Out>
  static void Apply(const In& in, const Out& out) {
    const auto y0 = in(0), y1 = in(1), y2 = in(2), y3 = in(3);
    const auto even_a = y0 + 0.5F * y2, odd_a = kA * y1 + (0.5F * kA) * y3;
    const auto even_b = y0 + 2.0F * y2, odd_b = kB * y1 + (2.0F * kB) * y3;
    out(0, y0);
    out(1, even_a + odd_a);
    out(2, even_a - odd_a);
    out(3, even_b + odd_b);
    out(4, even_b - odd_b);
    out(5, y3);
  }
};

// G: weights.
struct WeightLine {
  static constexpr int kIn = 3, kOut = 6;
  template <typename In, typename Out>
  static void Apply(const In& in, const Out& out) {
    const auto g0 = in(0), g1 = in(1), g2 = in(2);
    const auto even_a = (-2.0F / 3) * g0 - (1.0F / 3) * g2, odd_a = (-2.0F / 3 * kA) * g1;
    const auto even_b = (1.0F / 6) * g0 + (1.0F / 3) * g2, odd_b = (1.0F / 6 * kB) * g1;
    out(0, g0);
    out(1, even_a + odd_a);
    out(2, even_a - odd_a);
    out(3, even_b + odd_b);
    out(4, even_b - odd_b);
    out(5, g2);
  }
};

// Gᵀ: gradients of weights.
struct WeightGradLine {
  static constexpr int kIn = 6, kOut = 3;
  template <typename In, typename Out>
  static void Apply(const In& in, const Out& out) {
    const auto u1 = in(1), u2 = in(2), u3 = in(3), u4 = in(4);
    const auto sum_a = u1 + u2, sum_b = u3 + u4;
    out(0, in(0) - (2.0F / 3) * sum_a + (1.0F / 6) * sum_b);
    out(1, (-2.0F / 3 * kA) * (u1 - u2) + (1.0F / 6 * kB) * (u3 - u4));
    out(2, (1.0F / 3) * (sum_b - sum_a) + in(5));
  }
};

}  // namespace sluice::kernels::winograd

#endif  // SLUICE_KERNELS_CPU_NN_CONV_WINOGRAD_LINES_H_
