// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/signal/fourier_plan.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numbers>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace sluice::kernels {
namespace {

// The numbers of all kept plans; each needs up to 32 bytes.
constexpr int64_t kMostKept = int64_t{1} << 21;

}  // namespace

template <typename F>
FourierPlan<F>::FourierPlan(int64_t n, bool real)
    : n(n), real(real), fourier(real && n % 2 == 0 ? n / 2 : n) {
  if (!real || n % 2 != 0) return;
  for (int64_t k = 0; k <= n / 2; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    cosines.push_back(static_cast<F>(std::cos(angle)));
    sines.push_back(static_cast<F>(-std::sin(angle)));
  }
}

template <typename F>
std::shared_ptr<const FourierPlan<F>> FourierPlan<F>::Get(int64_t n, bool real) {
  struct Kept {
    absl::Mutex mu;
    std::deque<std::shared_ptr<const FourierPlan>> plans ABSL_GUARDED_BY(mu);  // the last one first
    int64_t numbers ABSL_GUARDED_BY(mu) = 0;
  };
  static auto* const kept = new Kept;
  {
    const absl::MutexLock lock(&kept->mu);
    const auto found = std::find_if(kept->plans.begin(), kept->plans.end(), [&](const auto& plan) {
      return plan->n == n && plan->real == real;
    });
    if (found != kept->plans.end()) {
      std::rotate(kept->plans.begin(), found, found + 1);
      return kept->plans.front();
    }
  }
  auto made = std::make_shared<const FourierPlan>(n, real);
  if (made->fourier.memory_size() > kMostKept) return made;
  const absl::MutexLock lock(&kept->mu);
  kept->plans.push_front(made);
  kept->numbers += made->fourier.memory_size();
  while (kept->numbers > kMostKept) {
    kept->numbers -= kept->plans.back()->fourier.memory_size();
    kept->plans.pop_back();
  }
  return made;
}

template struct FourierPlan<float>;
template struct FourierPlan<double>;

}  // namespace sluice::kernels
