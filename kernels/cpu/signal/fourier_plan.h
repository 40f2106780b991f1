// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_SIGNAL_FOURIER_PLAN_H_
#define SLUICE_KERNELS_CPU_SIGNAL_FOURIER_PLAN_H_

#include <memory>
#include <vector>

#include "kernels/cpu/signal/fourier.h"

namespace sluice::kernels {

// Everything about transforms of one length that does not depend on the data.
template <typename F>
struct FourierPlan {
  // `real`: of n real numbers. If n is even, the transform is one of n / 2 complex numbers.
  FourierPlan(int64_t n, bool real);

  // The plan, from those of the last transforms if it is there.
  static std::shared_ptr<const FourierPlan> Get(int64_t n, bool real);

  const int64_t n;
  const bool real;
  const Fourier<F> fourier;
  std::vector<F> cosines, sines;  // exp(-2 pi i k / n) for k <= n / 2: real numbers, even n

  bool halved() const { return !cosines.empty(); }
};

extern template struct FourierPlan<float>;
extern template struct FourierPlan<double>;

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_SIGNAL_FOURIER_PLAN_H_
