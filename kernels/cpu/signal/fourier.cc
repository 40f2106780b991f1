// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/signal/fourier.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice::kernels {
namespace {

constexpr int64_t kLargestRadix = 61;  // a convolution is cheaper for larger radixes

std::vector<int64_t> Factorise(int64_t n) {
  std::vector<int64_t> factors;
  for (int64_t p = 4; n > 1;) {
    while (n % p == 0) {
      factors.push_back(p);
      n /= p;
    }
    p = p == 4 ? 2 : p == 2 ? 3 : p + 2;
    if (p * p > n) p = std::max<int64_t>(n, 2);
  }
  return factors;
}

// exp(sign 2 pi i k / n), as exact as the reduction of the arguments to [0, 2 pi) allows.
template <typename F>
std::complex<F> Root(int64_t k, int64_t n, double sign) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
  return {static_cast<F>(std::cos(angle)), static_cast<F>(sign * std::sin(angle))};
}

// A product without the checks for infinity that std::complex makes.
template <typename F>
inline std::complex<F> Times(const std::complex<F>& a, const std::complex<F>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// x times i or -i.
template <typename F>
inline std::complex<F> Turned(const std::complex<F>& x, bool inverse) {
  return inverse ? std::complex<F>(-x.imag(), x.real()) : std::complex<F>(x.imag(), -x.real());
}

}  // namespace

template <typename F>
Fourier<F>::Fourier(int64_t n, bool inverse) : n_(n), inverse_(inverse), factors_(Factorise(n)) {
  const double sign = inverse ? 1 : -1;
  for (int64_t p : factors_) largest_ = std::max(largest_, p);
  if (largest_ <= kLargestRadix) {
    roots_.reserve(static_cast<size_t>(n));
    for (int64_t k = 0; k < n; ++k) roots_.push_back(Root<F>(k, n, sign));
    return;
  }
  int64_t m = 1;
  while (m < 2 * n - 1) m *= 2;
  chirp_ = std::make_unique<Chirp>();
  chirp_->forward = std::make_unique<Fourier>(m, false);
  chirp_->backward = std::make_unique<Fourier>(m, true);
  std::vector<C> kernel(static_cast<size_t>(m)), scratch(chirp_->forward->scratch_size());
  int64_t square = 0;  // j^2 mod 2n, without overflow
  for (int64_t j = 0; j < n; ++j) {
    const C factor = Root<F>(square, 2 * n, sign);
    chirp_->factors.push_back(factor);
    kernel[j] = std::conj(factor);
    if (j > 0) kernel[m - j] = std::conj(factor);
    square = (square + 2 * j + 1) % (2 * n);
  }
  chirp_->spectrum.resize(static_cast<size_t>(m));
  chirp_->forward->Run(kernel.data(), chirp_->spectrum.data(), scratch.data());
}

template <typename F>
int64_t Fourier<F>::scratch_size() const {
  if (chirp_ == nullptr) return largest_;
  return 2 * chirp_->forward->size() + chirp_->forward->scratch_size();
}

template <typename F>
void Fourier<F>::Run(const C* x, C* y, C* scratch) const {
  if (chirp_ != nullptr)
    Convolve(x, y, scratch);
  else
    Split(x, y, 1, 0, n_, scratch);
  if (!inverse_) return;
  const F scale = F(1) / static_cast<F>(n_);
  for (int64_t k = 0; k < n_; ++k) y[k] *= scale;
}

// Sets y to the transform of the n elements of x that are `stride` apart.
template <typename F>
void Fourier<F>::Split(const C* x, C* y, int64_t stride, size_t level, int64_t n,
                       C* scratch) const {
  if (n == 1) {
    *y = *x;
    return;
  }
  const int64_t p = factors_[level], m = n / p;
  for (int64_t i = 0; i < p; ++i)
    Split(x + i * stride, y + i * m, stride * p, level + 1, m, scratch);
  Butterflies(y, m, p, stride, scratch);
}

// Joins p transforms of m elements each, stored one after the other.
template <typename F>
void Fourier<F>::Butterflies(C* y, int64_t m, int64_t p, int64_t stride, C* scratch) const {
  const C* roots = roots_.data();
  if (p == 2) {
    for (int64_t j = 0; j < m; ++j) {
      const C t = Times(y[j + m], roots[j * stride]);
      y[j + m] = y[j] - t;
      y[j] += t;
    }
    return;
  }
  if (p == 4) {
    for (int64_t j = 0; j < m; ++j) {
      const C a = y[j], b = Times(y[j + m], roots[j * stride]);
      const C c = Times(y[j + 2 * m], roots[2 * j * stride]);
      const C d = Times(y[j + 3 * m], roots[3 * j * stride]);
      const C even = a + c, odd = a - c, sum = b + d, turned = Turned(b - d, inverse_);
      y[j] = even + sum;
      y[j + m] = odd + turned;
      y[j + 2 * m] = even - sum;
      y[j + 3 * m] = odd - turned;
    }
    return;
  }
  const int64_t step = n_ / p;  // step between p-th roots of one
  for (int64_t j = 0; j < m; ++j) {
    for (int64_t q = 0; q < p; ++q) scratch[q] = Times(y[j + q * m], roots[q * j * stride]);
    for (int64_t k = 0; k < p; ++k) {
      C sum = scratch[0];
      for (int64_t q = 1; q < p; ++q) sum += Times(scratch[q], roots[(q * k) % p * step]);
      y[j + k * m] = sum;
    }
  }
}

// j k = (j^2 + k^2 - (k - j)^2) / 2: this is a convolution with a chirp, between two products with
// it.
template <typename F>
void Fourier<F>::Convolve(const C* x, C* y, C* scratch) const {
  const int64_t m = chirp_->forward->size();
  C* a = scratch;
  C* b = a + m;
  C* rest = b + m;
  for (int64_t j = 0; j < n_; ++j) a[j] = Times(x[j], chirp_->factors[j]);
  std::fill(a + n_, a + m, C(0));
  chirp_->forward->Run(a, b, rest);
  for (int64_t k = 0; k < m; ++k) b[k] = Times(b[k], chirp_->spectrum[k]);
  chirp_->backward->Run(b, a, rest);
  for (int64_t k = 0; k < n_; ++k) y[k] = Times(a[k], chirp_->factors[k]);
}

template class Fourier<float>;
template class Fourier<double>;

}  // namespace sluice::kernels
