// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SIGNAL_FOURIER_H_
#define SLUICE_KERNELS_CPU_SIGNAL_FOURIER_H_

#include <cstdint>
#include <memory>
#include <vector>

namespace sluice::kernels {

// Complex numbers whose real and imaginary parts are in arrays of their own.
template <typename F>
struct Planes {
  F* re;
  F* im;

  // With real and imaginary parts exchanged.
  Planes Swapped() const { return {im, re}; }
};

// The discrete Fourier transform of one length, y[k] = sum_j x[j] exp(-2 pi i j k / n). The inverse,
// times n, is the transform of swapped planes, swapped. Mixed radix without reordering (Stockham;
// Van Loan, "Computational frameworks for the fast Fourier transform", section 1.7). Lengths with a
// large prime factor use a convolution (Bluestein, 1970).
//
// It transforms `lanes` lines at once, which the compiler vectorises: element j of line v is at
// [j * lanes + v].
//
// Threads:  immutable after construction; each caller brings its memory.
template <typename F>
class Fourier {
 public:
  explicit Fourier(int64_t n);  // REQUIRES: n >= 1
  ~Fourier();

  int64_t size() const { return n_; }
  // Numbers in each plane of the memory for one lane.
  int64_t memory_size() const;
  // The first n * lanes numbers of x are the lines, which are overwritten. x and `other` have
  // memory_size() * lanes each. Returns the one in which the transforms are.
  Planes<F> Run(int64_t lanes, Planes<F> x, Planes<F> other) const;

 private:
  // A pass over the data, which splits off one factor of the length.
  struct Pass {
    int64_t radix, rest;            // rest: the length after it
    std::vector<F> cosines, sines;  // [radix - 1, rest]: exp(-2 pi i r p / (radix rest))
    std::vector<F> re, im;          // of a radix without code of its own: exp(-2 pi i k / radix)
  };
  struct Chirp {
    std::vector<F> re, im;                    // exp(-pi i j^2 / n)
    std::vector<F> spectrum_re, spectrum_im;  // of the convolution's kernel, over its length
    std::unique_ptr<Fourier> transform;
  };
  static Pass MakePass(int64_t radix, int64_t rest);
  void MakeChirp();
  Planes<F> Convolve(int64_t lanes, Planes<F> x, Planes<F> other) const;

  const int64_t n_;
  std::vector<Pass> passes_;
  std::unique_ptr<Chirp> chirp_;  // for lengths with large prime factors
};

extern template class Fourier<float>;
extern template class Fourier<double>;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SIGNAL_FOURIER_H_
