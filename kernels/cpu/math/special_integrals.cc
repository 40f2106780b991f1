// SPDX-License-Identifier: Apache-2.0
// The special functions of tf.math.special beside Bessel's I: Bessel's J, K and Y, and functions
// that integrals define. All are computed in double.
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/common/loops.h"
#include "kernels/cpu/math/register.h"

namespace sluice::kernels {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = std::numbers::pi;

double J0(double x) { return j0(x); }
double J1(double x) { return j1(x); }
double Y0(double x) { return x < 0 ? kNan : y0(x); }
double Y1(double x) { return x < 0 ? kNan : y1(x); }

// exp(x) K(x) of order 0 or 1. Beyond 50 by the asymptotic series (Abramowitz and Stegun, 9.7.2),
// whose term k + 1 is below 1e-16 there for k = 10.
double ScaledK(int order, double x) {
  if (std::isnan(x)) return kNan;
  if (x <= 0) return kInfinity;
  if (std::isinf(x)) return 0;
  if (x <= 50) return std::exp(x) * std::cyl_bessel_k(order, x);
  double term = 1, sum = 1;
  for (int k = 1; k <= 10; ++k) {
    term *= (4.0 * order * order - (2.0 * k - 1) * (2.0 * k - 1)) / (k * 8 * x);
    sum += term;
  }
  return std::sqrt(kPi / (2 * x)) * sum;
}
double K0e(double x) { return ScaledK(0, x); }
double K1e(double x) { return ScaledK(1, x); }
double K0(double x) { return ScaledK(0, x) * std::exp(-x); }
double K1(double x) { return ScaledK(1, x) * std::exp(-x); }

double Expint(double x) {
  if (std::isnan(x)) return kNan;
  if (x == 0) return -kInfinity;
  if (std::isinf(x)) return x > 0 ? kInfinity : 0;
  return std::expint(x);
}

// Dawson's integral by Rybicki's sum of Gaussians (Numerical Recipes, 6.9) at a distance of 0.2,
// whose error is exp(-(pi / 0.2)^2).
double Dawson(double x) {
  if (std::isnan(x)) return kNan;
  if (std::abs(x) > 1e7) return 1 / (2 * x);
  if (std::abs(x) < 0.1) {  // the sum cancels: the Taylor series
    double term = x, sum = x;
    for (int k = 1; k <= 12; ++k) {
      term *= -2 * x * x / (2 * k + 1);
      sum += term;
    }
    return sum;
  }
  constexpr double kDistance = 0.2;
  const double even = 2 * std::round(x / (2 * kDistance)), rest = x - even * kDistance;
  double sum = 0;
  for (int n = -39; n <= 39; n += 2) {
    const double from = rest - n * kDistance;
    sum += std::exp(-from * from) / (n + even);
  }
  return sum / std::sqrt(kPi);
}

// C(x) + i S(x): a power series below 1.5, then the continued fraction of erfc by Lentz's method
// (Numerical Recipes, 6.8).
std::complex<double> Fresnel(double x) {
  const double size = std::abs(x);
  if (std::isnan(x)) return {kNan, kNan};
  if (size > 1e8) return {std::copysign(0.5, x), std::copysign(0.5, x)};
  if (size < 1.5) {
    // Term n is (i pi / 2)^n x^(2n + 1) / (n! (2n + 1)).
    std::complex<double> power = x, sum = x;
    for (int n = 1; n <= 40; ++n) {
      power *= std::complex<double>(0, kPi / 2 * x * x / n);
      sum += power / (2.0 * n + 1);
    }
    return sum;
  }
  std::complex<double> b(1, -kPi * size * size), c = 1e300, d = 1.0 / b, fraction = d;
  for (int n = 1; n < 400; n += 2) {
    const double a = -n * (n + 1.0);
    b += 4;
    d = 1.0 / (a * d + b);
    c = b + a / c;
    const std::complex<double> change = c * d;
    fraction *= change;
    if (std::abs(change - 1.0) < 1e-16) break;
  }
  fraction *= std::complex<double>(size, -size);
  const double angle = kPi / 2 * size * size;
  const std::complex<double> value =
      std::complex<double>(0.5, 0.5) * (1.0 - std::polar(1.0, angle) * fraction);
  return x < 0 ? -value : value;
}
double FresnelCos(double x) { return Fresnel(x).real(); }
double FresnelSin(double x) { return Fresnel(x).imag(); }

// Spence's function, the dilogarithm of 1 - x: its power series where 1 - x is in [0, 0.5], and the
// reflections at 1/2 and at 1 elsewhere (Abramowitz and Stegun, 27.7).
double Spence(double x) {
  if (std::isnan(x) || x < 0) return kNan;
  if (std::isinf(x)) return -kInfinity;
  if (x == 0) return kPi * kPi / 6;
  if (x > 1) return -std::log(x) * std::log(x) / 2 - Spence(1 / x);
  if (x < 0.5) return kPi * kPi / 6 - std::log(x) * std::log1p(-x) - Spence(1 - x);
  double power = 1, sum = 0;
  for (int k = 1; k <= 60; ++k) {
    power *= 1 - x;
    sum += power / (static_cast<double>(k) * k);
  }
  return sum;
}

constexpr double kSlow = 300;  // ns

template <double (*kFunction)(double)>
constexpr auto kOne = []<typename T>(T x) { return static_cast<T>(kFunction(x)); };

constexpr auto kUnary = std::tuple{
    Unary{"BesselJ0", FloatingTypes{}, kOne<J0>, kSlow},
    Unary{"BesselJ1", FloatingTypes{}, kOne<J1>, kSlow},
    Unary{"BesselK0", FloatingTypes{}, kOne<K0>, kSlow},
    Unary{"BesselK0e", FloatingTypes{}, kOne<K0e>, kSlow},
    Unary{"BesselK1", FloatingTypes{}, kOne<K1>, kSlow},
    Unary{"BesselK1e", FloatingTypes{}, kOne<K1e>, kSlow},
    Unary{"BesselY0", FloatingTypes{}, kOne<Y0>, kSlow},
    Unary{"BesselY1", FloatingTypes{}, kOne<Y1>, kSlow},
    Unary{"Dawsn", FloatingTypes{}, kOne<Dawson>, kSlow},
    Unary{"Expint", FloatingTypes{}, kOne<Expint>, kSlow},
    Unary{"FresnelCos", FloatingTypes{}, kOne<FresnelCos>, kSlow},
    Unary{"FresnelSin", FloatingTypes{}, kOne<FresnelSin>, kSlow},
    Unary{"Spence", FloatingTypes{}, kOne<Spence>, kSlow},
};

}  // namespace

void RegisterSpecialIntegrals(KernelRegistry& kernels) { AddUnaryTable(kernels, kUnary); }

}  // namespace sluice::kernels
