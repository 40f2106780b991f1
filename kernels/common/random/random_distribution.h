// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_RANDOM_DISTRIBUTION_H_
#define SLUICE_KERNELS_COMMON_RANDOM_RANDOM_DISTRIBUTION_H_

#include <cstdint>

namespace sluice::kernels {

// The distributions of floating numbers, as data. distributions.h computes them.
enum class RandomDistribution : uint8_t { kUniform, kNormal, kTruncatedNormal };

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_RANDOM_DISTRIBUTION_H_
