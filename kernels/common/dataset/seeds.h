// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_SEEDS_H_
#define SLUICE_KERNELS_COMMON_DATASET_SEEDS_H_

#include "kernels/common/dataset/data_set.h"
#include "kernels/common/philox.h"

namespace sluice::kernels {

// The two seeds of a random data set, and its numbers, which are TensorFlow's.
struct Seeds {
  int64_t first = 0, second = 0;
  PhiloxWords Words() const {
    return {Philox(static_cast<uint64_t>(first), static_cast<uint64_t>(second)), 0};
  }
};

// Saves or restores how many numbers were drawn.
absl::Status SaveOrRestore(SavedState& state, PhiloxWords& words);

// The inputs `i` and `i` + 1. Seeds of 0 and 0 stand for seeds that differ each time.
absl::StatusOr<Seeds> SeedInputs(const KernelContext& ctx, int i);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_SEEDS_H_
