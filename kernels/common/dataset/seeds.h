// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_SEEDS_H_
#define SLUICE_KERNELS_COMMON_DATASET_SEEDS_H_

#include "core/tensor/resource.h"
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

// The seeds of one run through a data set after the other. Several data sets may share it.
//
// Owner:    data sets, and the handle of AnonymousSeedGenerator.
// Threads:  any.
class SeedGenerator final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "N10tensorflow4data19RandomSeedGeneratorE";

  // Without `reshuffle`, all runs get the same seeds.
  SeedGenerator(const Seeds& seeds, bool reshuffle)
      : seeds_(seeds), reshuffle_(reshuffle), words_(seeds.Words()) {}
  std::string ToString() const override { return "RandomSeedGenerator"; }
  absl::string_view type_name() const override { return kTypeName; }

  const Seeds& seeds() const { return seeds_; }
  Seeds Next() {
    if (!reshuffle_) return seeds_;
    absl::MutexLock lock(&mu_);
    const uint32_t first = words_.Next(), second = words_.Next();
    return {first, second};
  }
  // The next run gets the seeds that it would have got.
  absl::Status SaveOrRestore(SavedState& state) {
    absl::MutexLock lock(&mu_);
    return kernels::SaveOrRestore(state, words_);
  }

 private:
  const Seeds seeds_;
  const bool reshuffle_;
  absl::Mutex mu_;
  PhiloxWords words_ ABSL_GUARDED_BY(mu_);
};

// The inputs `i` and `i` + 1. Seeds of 0 and 0 stand for seeds that differ each time.
absl::StatusOr<Seeds> SeedInputs(const KernelContext& ctx, int i);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_SEEDS_H_
