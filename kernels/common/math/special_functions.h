// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_MATH_SPECIAL_FUNCTIONS_H_
#define SLUICE_KERNELS_COMMON_MATH_SPECIAL_FUNCTIONS_H_

#include <algorithm>
#include <cmath>
#include <limits>

// Special functions of double arguments; NaN outside their domains. They are constexpr, which nvcc
// compiles for the GPU too.

namespace sluice::kernels {
namespace special {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
inline constexpr int kMaxTerms = 5000;

constexpr double LogGamma(double x) {
#ifdef __CUDA_ARCH__
  return ::lgamma(x);
#else
  int sign = 0;  // std::lgamma writes a global
  return __builtin_lgamma_r(x, &sign);
#endif
}

// A value and its derivative with respect to the parameter a.
struct Dual {
  double value = 0, by_a = 0;
};

// P(a, x) is x^a e^-x / gamma(a + 1) times this: the sum of x^k / ((a + 1) ... (a + k)). Abramowitz
// and Stegun, 6.5.29.
constexpr Dual LowerSeries(double a, double x) {
  Dual term{1, 0}, sum{1, 0};
  for (int k = 1; k <= kMaxTerms; ++k) {
    const double factor = x / (a + k);
    term.by_a = (term.by_a - term.value / (a + k)) * factor;
    term.value *= factor;
    sum.value += term.value;
    sum.by_a += term.by_a;
    if (term.value <= kEpsilon * sum.value && std::abs(term.by_a) <= kEpsilon * std::abs(sum.by_a))
      break;
  }
  return sum;
}

// Q(a, x) is x^a e^-x / gamma(a) times this: Legendre's continued fraction, 6.5.31, by the
// recurrence of its numerators and denominators, each with its derivative.
constexpr Dual UpperFraction(double a, double x) {
  constexpr double kBig = 1 / kEpsilon;
  double y = 1 - a, z = x + y + 1;
  Dual p2{1, 0}, q2{x, 0}, p1{x + 1, 0}, q1{z * x, -x};
  Dual ratio{p1.value / q1.value, 0};
  ratio.by_a = (p1.by_a - ratio.value * q1.by_a) / q1.value;
  for (int c = 1; c <= kMaxTerms; ++c) {
    y += 1;
    z += 2;
    const double yc = y * c;
    const auto next = [&](const Dual& one, const Dual& two) {
      return Dual{one.value * z - two.value * yc,
                  one.by_a * z - one.value - two.by_a * yc + two.value * c};
    };
    const Dual p = next(p1, p2), q = next(q1, q2);
    double moved = kInfinity;
    if (q.value != 0) {
      Dual now{p.value / q.value, 0};
      now.by_a = (p.by_a - now.value * q.by_a) / q.value;
      moved = std::max(std::abs(now.value - ratio.value) / std::abs(now.value),
                       std::abs(now.by_a - ratio.by_a) / std::max(std::abs(now.by_a), 1e-300));
      ratio = now;
    }
    p2 = p1;
    p1 = p;
    q2 = q1;
    q1 = q;
    if (std::abs(p.value) > kBig) {
      for (Dual* d : {&p1, &p2, &q1, &q2}) {
        d->value /= kBig;
        d->by_a /= kBig;
      }
    }
    if (moved <= kEpsilon) break;
  }
  return ratio;
}

constexpr bool UsesFraction(double a, double x) { return x > 1 && x > a; }

constexpr double LowerFactor(double a, double x) {
  return std::exp(a * std::log(x) - x - LogGamma(a + 1));
}
constexpr double UpperFactor(double a, double x) {
  return std::exp(a * std::log(x) - x - LogGamma(a));
}

// Above this, neither the series nor the fraction converges within kMaxTerms.
inline constexpr double kLargeA = 1e5;

// P(a, x) for a large a, or Q(a, x) if `upper`: the first two terms of Temme's uniform expansion,
// DLMF 8.12.3 and 8.12.4.
constexpr double UniformExpansion(double a, double x, bool upper) {
  const double mu = x / a - 1;
  const bool near = std::abs(mu) < 1e-4;  // differences cancel
  const double square = near ? mu * mu * (1 - 2 * mu / 3 + mu * mu / 2) : 2 * (mu - std::log1p(mu));
  const double eta = std::copysign(std::sqrt(square), mu);
  const double c0 = near ? mu / 12 - 1.0 / 3 : 1 / mu - 1 / eta;
  const double rest = std::exp(-a * square / 2) / std::sqrt(2 * M_PI * a) * c0;
  const double sign = upper ? 1 : -1;
  return std::erfc(sign * eta * std::sqrt(a / 2)) / 2 + sign * rest;
}

// The sum of (q + k)^-x for q > 0, by Euler and Maclaurin.
constexpr double PositiveZeta(double x, double q) {
  const double kBernoulli[] = {
      // B_2k / (2k)!
      1.0 / 12,
      -1.0 / 720,
      1.0 / 30240,
      -1.0 / 1209600,
      1.0 / 47900160,
      -691.0 / 1307674368000.0,
      1.0 / 74724249600.0,
      -3617.0 / 10670622842880000.0,
      43867.0 / 5109094217170944000.0,
  };
  double sum = 0, at = q;
  for (; at < 12; at += 1) {
    const double term = std::pow(at, -x);
    sum += term;
    if (term <= kEpsilon / 100 * sum) return sum;
  }
  const double power = std::pow(at, -x);
  sum += power * at / (x - 1) + 0.5 * power;
  double rising = x, down = power / at;
  int k = 0;
  for (double b : kBernoulli) {
    const double term = b * rising * down;
    sum += term;
    if (std::abs(term) < kEpsilon * std::abs(sum)) break;
    rising *= (x + k + 1) * (x + k + 2);
    down /= at * at;
    k += 2;
  }
  return sum;
}

// Lentz's evaluation of the continued fraction of I_x(a, b), DLMF 8.17.22.
constexpr double BetaFraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto away = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), h = d;
  for (int m = 1; m <= kMaxTerms; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / away(1 + even * d);
    c = away(1 + even / c);
    h *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / away(1 + odd * d);
    c = away(1 + odd / c);
    h *= d * c;
    if (std::abs(d * c - 1) < kEpsilon) break;
  }
  return h;
}

// exp(-x) I_order(x) for x >= 0: the power series, or for large x the asymptotic one (DLMF
// 10.40.1).
constexpr double ScaledBessel(int order, double x) {
  if (x > 30) {
    if (std::isinf(x)) return 0;
    const double mu = 4.0 * order * order;
    double term = 1, sum = 1;
    for (int k = 1; k < 60; ++k) {
      const double next = -term * (mu - (2 * k - 1) * (2.0 * k - 1)) / (8.0 * k * x);
      if (std::abs(next) >= std::abs(term)) break;
      term = next;
      sum += term;
      if (std::abs(term) < kEpsilon * sum) break;
    }
    return sum / std::sqrt(2 * M_PI * x);
  }
  const double quarter = x * x / 4;
  double term = order == 0 ? 1 : x / 2, sum = term;
  for (int k = 1; k < 200; ++k) {
    term *= quarter / (static_cast<double>(k) * (k + order));
    sum += term;
    if (term < kEpsilon / 4 * sum) break;
  }
  return sum * std::exp(-x);
}

}  // namespace special

// Reflected to x > 0, raised by the recurrence to x >= 6, then the asymptotic series.
constexpr double Digamma(double x) {
  if (x <= 0 && std::floor(x) == x) return special::kNan;
  double result = 0;
  if (x < 0) {
    result = -M_PI / std::tan(M_PI * x);
    x = 1 - x;
  }
  while (x < 8) {
    result -= 1 / x;
    ++x;
  }
  const double z = 1 / (x * x);
  const double series =
      z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132)))));
  return result + std::log(x) - 0.5 / x - series;
}

// The sum over k >= 0 of (q + k)^-x, x > 1.
constexpr double Zeta(double x, double q) {
  if (std::isnan(x) || std::isnan(q)) return special::kNan;
  if (x == 1) return special::kInfinity;
  if (x < 1) return special::kNan;
  if (q == special::kInfinity) return 0;
  if (x == special::kInfinity) return q < 1 ? special::kInfinity : q == 1 ? 1 : 0;
  if (q > 0) return special::PositiveZeta(x, q);
  if (q == std::floor(q)) return std::fmod(x, 2) == 0 ? special::kInfinity : special::kNan;
  if (x != std::floor(x)) return special::kNan;
  // The terms below zero are two positive series with the sign of (-1)^x.
  const double whole = std::floor(-q), rest = -q - whole;
  const double below = special::PositiveZeta(x, rest) - special::PositiveZeta(x, rest + whole + 1);
  return special::PositiveZeta(x, 1 - rest) + (std::fmod(x, 2) == 0 ? below : -below);
}

// The n-th derivative of digamma.
constexpr double Polygamma(double n, double x) {
  if (!(n >= 0) || std::floor(n) != n) return special::kNan;
  if (n == 0) return Digamma(x);
  const double sign = std::fmod(n, 2) == 1 ? 1 : -1;
  return sign * std::exp(special::LogGamma(n + 1)) * Zeta(n + 1, x);
}

// The regularised lower incomplete gamma function.
constexpr double Igamma(double a, double x) {
  if (x == 0) return 0;  // for any a
  if (!(x >= 0) || !(a > 0)) return special::kNan;
  if (std::isinf(a)) return std::isinf(x) ? special::kNan : 0;
  if (std::isinf(x)) return 1;
  if (a > special::kLargeA) return special::UniformExpansion(a, x, false);
  return special::UsesFraction(a, x)
             ? 1 - special::UpperFactor(a, x) * special::UpperFraction(a, x).value
             : special::LowerFactor(a, x) * special::LowerSeries(a, x).value;
}

// 1 - Igamma
constexpr double Igammac(double a, double x) {
  if (!(x >= 0) || !(a > 0)) return special::kNan;
  if (std::isinf(a)) return std::isinf(x) ? special::kNan : 1;
  if (std::isinf(x)) return 0;
  if (x == 0) return 1;
  if (a > special::kLargeA) return special::UniformExpansion(a, x, true);
  return special::UsesFraction(a, x)
             ? special::UpperFactor(a, x) * special::UpperFraction(a, x).value
             : 1 - special::LowerFactor(a, x) * special::LowerSeries(a, x).value;
}

// The derivative of Igamma with respect to a.
constexpr double IgammaGradA(double a, double x) {
  if (x == 0) return 0;
  if (!(x >= 0) || !(a > 0) || std::isinf(x) || std::isinf(a)) return special::kNan;
  if (special::UsesFraction(a, x)) {
    const special::Dual f = special::UpperFraction(a, x);
    return -special::UpperFactor(a, x) * (f.by_a + f.value * (std::log(x) - Digamma(a)));
  }
  const special::Dual s = special::LowerSeries(a, x);
  return special::LowerFactor(a, x) * (s.by_a + s.value * (std::log(x) - Digamma(a + 1)));
}

// The derivative of a sample of the gamma distribution with respect to its shape parameter:
// -(dP/da) / (dP/dx): the common factors of both cancel, except for a power of x.
constexpr double GammaSampleGrad(double alpha, double sample) {
  if (sample == 0 && alpha > 0) return 0;
  if (!(sample >= 0) || !(alpha > 0) || std::isinf(sample) || std::isinf(alpha))
    return special::kNan;
  if (special::UsesFraction(alpha, sample)) {
    const special::Dual f = special::UpperFraction(alpha, sample);
    return sample * (f.by_a + f.value * (std::log(sample) - Digamma(alpha)));
  }
  const special::Dual s = special::LowerSeries(alpha, sample);
  return -(s.by_a + s.value * (std::log(sample) - Digamma(alpha + 1))) * sample / alpha;
}

// The regularised incomplete beta function.
constexpr double Betainc(double a, double b, double x) {
  if (!(a > 0) || !(b > 0) || !(x >= 0) || !(x <= 1)) return special::kNan;
  if (x == 0 || x == 1) return x;
  const double front = std::exp(special::LogGamma(a + b) - special::LogGamma(a) -
                                special::LogGamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * special::BetaFraction(a, b, x) / a;
  return 1 - front * special::BetaFraction(b, a, 1 - x) / b;
}

// Modified Bessel functions of the first kind; with e: times exp(-|x|).
constexpr double BesselI0e(double x) { return special::ScaledBessel(0, std::abs(x)); }
constexpr double BesselI1e(double x) {
  return std::copysign(special::ScaledBessel(1, std::abs(x)), x);
}
constexpr double BesselI0(double x) { return std::exp(std::abs(x)) * BesselI0e(x); }
constexpr double BesselI1(double x) { return std::exp(std::abs(x)) * BesselI1e(x); }

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_MATH_SPECIAL_FUNCTIONS_H_
