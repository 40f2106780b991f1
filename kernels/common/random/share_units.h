// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_RANDOM_SHARE_UNITS_H_
#define SLUICE_KERNELS_COMMON_RANDOM_SHARE_UNITS_H_

#include <cstdint>

namespace sluice::kernels {

// The number of these units of work, each of `cycles`, in one shard of TensorFlow's: the rules of
// Eigen's ThreadPoolDevice.
int64_t UnitsOfShare(int64_t units, double cycles, int threads);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_RANDOM_SHARE_UNITS_H_
