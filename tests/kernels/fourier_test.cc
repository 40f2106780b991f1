// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/signal/fourier.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "kernels/cpu/math/special.h"

namespace sluice::kernels {
namespace {

using C = std::complex<double>;

std::vector<C> Random(int64_t n) {
  std::mt19937 words(static_cast<unsigned>(n));
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<C> x;
  for (int64_t i = 0; i < n; ++i) x.emplace_back(uniform(words), uniform(words));
  return x;
}

// `lines` in turns, transformed together.
std::vector<C> TransformedTogether(const std::vector<C>& x, int64_t lanes, bool inverse) {
  const auto n = static_cast<int64_t>(x.size()) / lanes;
  const Fourier<double> fourier(n);
  const auto size = static_cast<size_t>(fourier.memory_size() * lanes);
  std::vector<double> re(size), im(size), other_re(size), other_im(size);
  for (size_t i = 0; i < x.size(); ++i) {
    re[i] = x[i].real();
    im[i] = x[i].imag();
  }
  const Planes<double> from{re.data(), im.data()}, other{other_re.data(), other_im.data()};
  const Planes<double> to = inverse ? fourier.Run(lanes, from.Swapped(), other.Swapped()).Swapped()
                                    : fourier.Run(lanes, from, other);
  std::vector<C> y;
  for (size_t i = 0; i < x.size(); ++i) y.emplace_back(to.re[i], to.im[i]);
  return y;
}

std::vector<C> Transformed(const std::vector<C>& x) { return TransformedTogether(x, 1, false); }

// Computed by the definition.
C Coefficient(const std::vector<C>& x, int64_t k) {
  const auto n = static_cast<int64_t>(x.size());
  C sum = 0;
  for (int64_t j = 0; j < n; ++j)
    sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(j * k % n) /
                                      static_cast<double>(n));
  return sum;
}

TEST(FourierTest, AgreesWithTheDefinitionForEveryLength) {
  for (int64_t n = 1; n <= 140; ++n) {
    const std::vector<C> x = Random(n), y = Transformed(x);
    for (int64_t k = 0; k < n; ++k) ASSERT_LT(std::abs(y[k] - Coefficient(x, k)), 1e-11) << n;
  }
}

TEST(FourierTest, InverseGivesBackWhatWasTransformed) {
  for (int64_t n : {1, 2, 4096, 4099, 2 * 61 * 67, 6561, 10007}) {
    const std::vector<C> x = Random(n), back = TransformedTogether(Transformed(x), 1, true);
    const auto size = static_cast<double>(n);
    for (int64_t j = 0; j < n; ++j) ASSERT_LT(std::abs(back[j] / size - x[j]), 1e-11) << n;
  }
}

TEST(FourierTest, LinesTogetherAreTransformedAsEachAlone) {
  for (int64_t n : {1, 2, 3, 8, 16, 60, 77, 128, 243, 997}) {
    for (int64_t lanes : {2, 3, 8}) {
      const std::vector<C> x = Random(n * lanes), y = TransformedTogether(x, lanes, false);
      for (int64_t v = 0; v < lanes; ++v) {
        std::vector<C> line;
        for (int64_t j = 0; j < n; ++j) line.push_back(x[j * lanes + v]);
        line = Transformed(line);
        for (int64_t k = 0; k < n; ++k) ASSERT_LT(std::abs(line[k] - y[k * lanes + v]), 1e-11);
      }
    }
  }
}

// TensorFlow's own results lose digits here, so the test uses identities.
TEST(SpecialTest, ZetaOfNegativeNumbersIsASumFromThere) {
  const double far = Zeta(4, -30.75), near = Zeta(4, 0.25);
  double between = 0;
  for (double at = -30.75; at < 0.25; at += 1) between += std::pow(at, -4);
  EXPECT_NEAR(far, near + between, 1e-10);
  EXPECT_TRUE(std::isfinite(Zeta(3, -1e9 - 0.5)));
}

TEST(SpecialTest, DerivativesAgreeWithDifferences) {
  for (double a : {0.3, 1.0, 4.5, 60.0}) {
    for (double x : {0.01, 0.9, 5.0, 55.0, 80.0}) {
      const double step = 1e-5 * a;
      const double slope = (Igamma(a + step, x) - Igamma(a - step, x)) / (2 * step);
      EXPECT_NEAR(IgammaGradA(a, x), slope, 1e-6) << a << " " << x;
      EXPECT_NEAR(Igamma(a, x) + Igammac(a, x), 1, 1e-13);
    }
  }
}

}  // namespace
}  // namespace sluice::kernels
