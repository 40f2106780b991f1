// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SIGNAL_FOURIER_H_
#define SLUICE_KERNELS_CPU_SIGNAL_FOURIER_H_

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::kernels {

// The discrete Fourier transform of one length, y[k] = sum_j x[j] exp(-2 pi i j k / n); the inverse
// has the other sign and divides by n. Mixed radix (Cooley and Tukey, 1965). Lengths with a large
// prime factor use a convolution of a power of two (Bluestein, 1970).
//
// Threads:  immutable after construction; each caller brings its scratch memory.
template <typename F>
class Fourier {
 public:
  using C = std::complex<F>;

  Fourier(int64_t n, bool inverse);  // REQUIRES: n >= 1

  int64_t size() const { return n_; }
  int64_t scratch_size() const;  // elements
  // x and y have n elements each and do not overlap; x is not changed.
  void Run(const C* x, C* y, C* scratch) const;

 private:
  struct Chirp {
    std::vector<C> factors;   // exp(-+ pi i j^2 / n)
    std::vector<C> spectrum;  // transform of the convolution's kernel
    std::unique_ptr<Fourier> forward, backward;
  };
  void Split(const C* x, C* y, int64_t stride, size_t level, int64_t n, C* scratch) const;
  void Butterflies(C* y, int64_t m, int64_t p, int64_t stride, C* scratch) const;
  void Convolve(const C* x, C* y, C* scratch) const;

  const int64_t n_;
  const bool inverse_;
  int64_t largest_ = 1;           // factor
  std::vector<int64_t> factors_;  // factors of n, in the order they are split off
  std::vector<C> roots_;          // exp(-+ 2 pi i k / n)
  std::unique_ptr<Chirp> chirp_;  // for lengths with large prime factors
};

extern template class Fourier<float>;
extern template class Fourier<double>;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SIGNAL_FOURIER_H_
