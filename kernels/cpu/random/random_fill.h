// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_CPU_RANDOM_RANDOM_FILL_H_
#define SLUICE_KERNELS_CPU_RANDOM_RANDOM_FILL_H_

#include "core/runtime/kernel_registry.h"
#include "kernels/cpu/random/distributions.h"

// Tensors of random numbers. Each number is made of words at a fixed position of a stream, so
// threads share the work and the numbers do not depend on the shards.

namespace sluice::kernels {

// The stream of two seeds in a tensor. The seeds are mixed, so that it does not matter which of
// their bits vary.
absl::StatusOr<Philox> StreamOf(const Tensor& seed);

template <typename T, typename Distribution>
void FillAll(const Distribution& distribution, const Philox& philox, Tensor& output,
             WorkQueue* pool) {
  constexpr int kGroup = kPerBlock<T>;
  const int64_t n = output.num_elements();
  T* out = output.mutable_data<T>();
  ParallelFor(pool, (n + kGroup - 1) / kGroup, 40, [&](int64_t begin, int64_t end) {
    for (int64_t group = begin; group < end; ++group) {
      if ((group + 1) * kGroup <= n) {
        distribution.Fill(philox, group, out + group * kGroup);
        continue;
      }
      T last[kGroup];
      distribution.Fill(philox, group, last);
      std::copy_n(last, n - group * kGroup, out + group * kGroup);
    }
  });
}

template <template <typename> typename Distribution>
absl::Status FillFloating(const Philox& philox, Tensor& output, WorkQueue* pool) {
  return VisitDType(FloatingTypes{}, output.dtype(), [&]<typename T>(Type<T>) {
    FillAll<T>(Distribution<T>{}, philox, output, pool);
    return absl::OkStatus();
  });
}

// Bounds of integers: two scalars of the output's dtype. The lower must be less than the upper;
// FillInts checks this.
absl::Status CheckBounds(const Tensor& low, const Tensor& high);
absl::Status CheckOrder(const Tensor& low, const Tensor& high);
absl::Status FillInts(const Philox& philox, const Tensor& low, const Tensor& high, Tensor& output,
                      WorkQueue* pool);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_CPU_RANDOM_RANDOM_FILL_H_
