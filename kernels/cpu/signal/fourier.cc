// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/signal/fourier.h"
#include "core/threads/cancel_scope.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace sluice::kernels {
namespace {

constexpr int64_t kRootsBetweenLooks = 1 << 14;  // between two looks at the cancellation
constexpr int64_t kLargestRadix = 31;            // a convolution is cheaper for larger radixes

std::vector<int64_t> Factorise(int64_t n) {
  std::vector<int64_t> factors;
  for (int64_t p : {8, 4, 2, 5, 3}) {
    // 16 is 4 times 4, which is less work than 8 times 2.
    for (; n % p == 0 && !(p == 8 && n / p == 2); n /= p) factors.push_back(p);
  }
  for (int64_t p = 7; n > 1; p += 2) {
    if (p * p > n) p = n;
    for (; n % p == 0; n /= p) factors.push_back(p);
  }
  return factors;
}

// The smallest length from n on whose only prime factors are 2, 3 and 5.
int64_t EasyLength(int64_t n) {
  int64_t best = 1;
  while (best < n) best *= 2;
  for (int64_t fives = 1; fives < best; fives *= 5) {
    for (int64_t odd = fives; odd < best; odd *= 3) {
      int64_t m = odd;
      while (m < n) m *= 2;
      best = std::min(best, m);
    }
  }
  return best;
}

// exp(-2 pi i k / n), as exact as the reduction of the arguments to [0, 2 pi) allows.
template <typename F>
std::pair<F, F> Root(int64_t k, int64_t n) {
  const double angle = 2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  return {static_cast<F>(std::cos(angle)), static_cast<F>(-std::sin(angle))};
}

template <typename F>
struct Complex {
  F re, im;

  Complex operator+(Complex b) const { return {re + b.re, im + b.im}; }
  Complex operator-(Complex b) const { return {re - b.re, im - b.im}; }
  Complex operator*(Complex b) const { return {re * b.re - im * b.im, re * b.im + im * b.re}; }
  Complex operator*(F b) const { return {re * b, im * b}; }
  Complex TimesI() const { return {-im, re}; }
};

// The transform of the numbers of v, in place.
template <int kRadix, typename F>
inline void Transform(Complex<F>* v) {
  if constexpr (kRadix == 2) {
    const auto a = v[0], b = v[1];
    v[0] = a + b;
    v[1] = a - b;
  } else if constexpr (kRadix == 3) {
    constexpr F kSine = static_cast<F>(0.86602540378443864676);
    const auto sum = v[1] + v[2], middle = v[0] - sum * F(0.5);
    const auto side = ((v[1] - v[2]) * kSine).TimesI();
    v[0] = v[0] + sum;
    v[1] = middle - side;
    v[2] = middle + side;
  } else if constexpr (kRadix == 4) {
    const auto even = v[0] + v[2], odd = v[0] - v[2], sum = v[1] + v[3];
    const auto turned = (v[1] - v[3]).TimesI();
    v[0] = even + sum;
    v[1] = odd - turned;
    v[2] = even - sum;
    v[3] = odd + turned;
  } else if constexpr (kRadix == 5) {
    constexpr F kCosine = static_cast<F>(0.30901699437494742410),
                kCosine2 = static_cast<F>(-0.80901699437494742410),
                kSine = static_cast<F>(0.95105651629515357212),
                kSine2 = static_cast<F>(0.58778525229247312917);
    const auto s1 = v[1] + v[4], s2 = v[2] + v[3], d1 = v[1] - v[4], d2 = v[2] - v[3];
    const auto a = v[0] + s1 * kCosine + s2 * kCosine2, b = v[0] + s1 * kCosine2 + s2 * kCosine;
    const auto c = (d1 * kSine + d2 * kSine2).TimesI(), d = (d1 * kSine2 - d2 * kSine).TimesI();
    v[0] = v[0] + s1 + s2;
    v[1] = a - c;
    v[4] = a + c;
    v[2] = b - d;
    v[3] = b + d;
  } else {
    static_assert(kRadix == 8);
    constexpr F kHalfRoot = static_cast<F>(0.70710678118654752440);
    Complex<F> even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
    Transform<4>(even);
    Transform<4>(odd);
    const Complex<F> o1 = Complex<F>{odd[1].re + odd[1].im, odd[1].im - odd[1].re} * kHalfRoot;
    const Complex<F> o2 = {odd[2].im, -odd[2].re};
    const Complex<F> o3 = Complex<F>{odd[3].im - odd[3].re, -odd[3].re - odd[3].im} * kHalfRoot;
    v[0] = even[0] + odd[0];
    v[4] = even[0] - odd[0];
    v[1] = even[1] + o1;
    v[5] = even[1] - o1;
    v[2] = even[2] + o2;
    v[6] = even[2] - o2;
    v[3] = even[3] + o3;
    v[7] = even[3] - o3;
  }
}

// Multiplies element j of each line by re[j] + i im[j].
template <typename F>
void Multiply(Planes<F> y, int64_t size, int64_t lanes, const F* re, const F* im) {
  const auto one = [&](int64_t at, Complex<F> factor) {
    const Complex<F> product = Complex<F>{y.re[at], y.im[at]} * factor;
    y.re[at] = product.re;
    y.im[at] = product.im;
  };
  if (lanes == 1) {
#pragma GCC ivdep
    for (int64_t j = 0; j < size; ++j) one(j, {re[j], im[j]});
    return;
  }
  for (int64_t j = 0; j < size; ++j) {
    const Complex<F> factor{re[j], im[j]};
#pragma GCC ivdep
    for (int64_t at = j * lanes; at < (j + 1) * lanes; ++at) one(at, factor);
  }
}

// Where a pass reads and writes: x is [radix, rest, block], y is [rest, radix, block].
template <typename F>
struct PassData {
  int64_t rest, block;
  const F* cosines;
  const F* sines;
  Planes<F> x, y;
};

template <int kRadix, typename F>
inline void One(const PassData<F>& d, int64_t p, int64_t q, const Complex<F>* roots) {
  Complex<F> v[kRadix];
  for (int r = 0; r < kRadix; ++r) {
    const int64_t at = (r * d.rest + p) * d.block + q;
    v[r] = {d.x.re[at], d.x.im[at]};
  }
  Transform<kRadix>(v);
  for (int r = 0; r < kRadix; ++r) {
    const int64_t at = (p * kRadix + r) * d.block + q;
    const Complex<F> value = r == 0 ? v[r] : v[r] * roots[r - 1];
    d.y.re[at] = value.re;
    d.y.im[at] = value.im;
  }
}

template <int kRadix, typename F>
void RunPass(const PassData<F>& d) {
  if (d.block == 1) {
#pragma GCC ivdep
    for (int64_t p = 0; p < d.rest; ++p) {
      Complex<F> roots[kRadix - 1];
      for (int r = 0; r < kRadix - 1; ++r)
        roots[r] = {d.cosines[r * d.rest + p], d.sines[r * d.rest + p]};
      One<kRadix>(d, p, 0, roots);
    }
    return;
  }
  for (int64_t p = 0; p < d.rest; ++p) {
    Complex<F> roots[kRadix - 1];
    for (int r = 0; r < kRadix - 1; ++r)
      roots[r] = {d.cosines[r * d.rest + p], d.sines[r * d.rest + p]};
#pragma GCC ivdep
    for (int64_t q = 0; q < d.block; ++q) One<kRadix>(d, p, q, roots);
  }
}

// Any radix, by the definition. `root`: exp(-2 pi i k / radix).
template <typename F>
void RunAnyPass(const PassData<F>& d, int64_t radix, Planes<const F> root) {
  const int64_t block = d.block;
  for (int64_t p = 0; p < d.rest; ++p) {
    for (int64_t r = 0; r < radix; ++r) {
      F* to_re = d.y.re + (p * radix + r) * block;
      F* to_im = d.y.im + (p * radix + r) * block;
      const Complex<F> turn =
          r == 0 ? Complex<F>{1, 0}
                 : Complex<F>{d.cosines[(r - 1) * d.rest + p], d.sines[(r - 1) * d.rest + p]};
      for (int64_t j = 0; j < radix; ++j) {
        const Complex<F> factor = turn * Complex<F>{root.re[j * r % radix], root.im[j * r % radix]};
        const F* from_re = d.x.re + (j * d.rest + p) * block;
        const F* from_im = d.x.im + (j * d.rest + p) * block;
#pragma GCC ivdep
        for (int64_t q = 0; q < block; ++q) {
          const Complex<F> term = factor * Complex<F>{from_re[q], from_im[q]};
          to_re[q] = j == 0 ? term.re : to_re[q] + term.re;
          to_im[q] = j == 0 ? term.im : to_im[q] + term.im;
        }
      }
    }
  }
}

}  // namespace

template <typename F>
Fourier<F>::~Fourier() = default;

template <typename F>
Fourier<F>::Fourier(int64_t n) : n_(n) {
  const std::vector<int64_t> factors = Factorise(n);
  if (!factors.empty() && *std::max_element(factors.begin(), factors.end()) > kLargestRadix) {
    MakeChirp();
    return;
  }
  for (int64_t radix : factors) {
    n /= radix;
    passes_.push_back(MakePass(radix, n));
  }
}

template <typename F>
typename Fourier<F>::Pass Fourier<F>::MakePass(int64_t radix, int64_t rest) {
  Pass pass{.radix = radix, .rest = rest, .cosines = {}, .sines = {}, .re = {}, .im = {}};
  CancelPoints points(kRootsBetweenLooks);
  for (int64_t r = 1; r < radix; ++r) {
    for (int64_t p = 0; p < rest; ++p) {
      points.Pass();
      const auto [cosine, sine] = Root<F>(r * p, radix * rest);
      pass.cosines.push_back(cosine);
      pass.sines.push_back(sine);
    }
  }
  for (int64_t k = 0; k < radix; ++k) {
    const auto [cosine, sine] = Root<F>(k, radix);
    pass.re.push_back(cosine);
    pass.im.push_back(sine);
  }
  return pass;
}

template <typename F>
void Fourier<F>::MakeChirp() {
  const int64_t m = EasyLength(2 * n_ - 1);
  chirp_ = std::make_unique<Chirp>();
  chirp_->transform = std::make_unique<Fourier>(m);
  const auto memory = static_cast<size_t>(chirp_->transform->memory_size());
  std::vector<F> re(memory), im(memory), other_re(memory), other_im(memory);
  CancelPoints points(kRootsBetweenLooks);
  int64_t square = 0;  // j^2 mod 2n, without overflow
  for (int64_t j = 0; j < n_; ++j) {
    points.Pass();
    const auto [cosine, sine] = Root<F>(square, 2 * n_);
    chirp_->re.push_back(cosine);
    chirp_->im.push_back(sine);
    re[j] = re[(m - j) % m] = cosine;
    im[j] = im[(m - j) % m] = -sine;
    square = (square + 2 * j + 1) % (2 * n_);
  }
  const Planes<F> found =
      chirp_->transform->Run(1, {re.data(), im.data()}, {other_re.data(), other_im.data()});
  const F scale = F(1) / static_cast<F>(m);  // of the inverse transform
  for (int64_t k = 0; k < m; ++k) {
    chirp_->spectrum_re.push_back(found.re[k] * scale);
    chirp_->spectrum_im.push_back(found.im[k] * scale);
  }
}

template <typename F>
int64_t Fourier<F>::memory_size() const {
  return chirp_ == nullptr ? n_ : chirp_->transform->memory_size();
}

template <typename F>
Planes<F> Fourier<F>::Run(int64_t lanes, Planes<F> x, Planes<F> other) const {
  if (chirp_ != nullptr) return Convolve(lanes, x, other);
  int64_t block = lanes;
  for (const Pass& pass : passes_) {
    ThrowIfCancelled();
    const PassData<F> data{.rest = pass.rest,
                           .block = block,
                           .cosines = pass.cosines.data(),
                           .sines = pass.sines.data(),
                           .x = x,
                           .y = other};
    switch (pass.radix) {
      case 2:
        RunPass<2>(data);
        break;
      case 3:
        RunPass<3>(data);
        break;
      case 4:
        RunPass<4>(data);
        break;
      case 5:
        RunPass<5>(data);
        break;
      case 8:
        RunPass<8>(data);
        break;
      default:
        RunAnyPass<F>(data, pass.radix, {pass.re.data(), pass.im.data()});
    }
    block *= pass.radix;
    std::swap(x, other);
  }
  return x;
}

// j k = (j^2 + k^2 - (k - j)^2) / 2: this is a convolution with a chirp, between two products with
// it.
template <typename F>
Planes<F> Fourier<F>::Convolve(int64_t lanes, Planes<F> x, Planes<F> other) const {
  const int64_t m = chirp_->transform->size();
  Multiply(x, n_, lanes, chirp_->re.data(), chirp_->im.data());
  std::fill(x.re + n_ * lanes, x.re + m * lanes, F(0));
  std::fill(x.im + n_ * lanes, x.im + m * lanes, F(0));
  const Planes<F> spectrum = chirp_->transform->Run(lanes, x, other);
  Multiply(spectrum, m, lanes, chirp_->spectrum_re.data(), chirp_->spectrum_im.data());
  const Planes<F> rest = spectrum.re == x.re ? other : x;
  const Planes<F> found =
      chirp_->transform->Run(lanes, spectrum.Swapped(), rest.Swapped()).Swapped();
  Multiply(found, n_, lanes, chirp_->re.data(), chirp_->im.data());
  return found;
}

template class Fourier<float>;
template class Fourier<double>;

}  // namespace sluice::kernels
