// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_KEPT_AT_PLACES_H_
#define SLUICE_KERNELS_COMMON_DATASET_KEPT_AT_PLACES_H_

#include <cstdint>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/ref.h"

namespace sluice::kernels {

// What the stages at one place of a pipeline have in common, one after the other: those of a data
// set that is repeated begin anew, but go on with the same seeds.
//
// Owner:    the run.
// Threads:  any.
class KeptAtPlaces {
 public:
  // The object of a place; make() makes the first.
  template <typename T, typename Make>
  RefPtr<T> Of(uint64_t place, const Make& make) {
    absl::MutexLock lock(&mu_);
    RefPtr<RefCounted>& kept = kept_[place];
    if (!kept) kept = make();
    return RefPtr<T>(static_cast<T*>(kept.get()));
  }

 private:
  absl::Mutex mu_;
  absl::flat_hash_map<uint64_t, RefPtr<RefCounted>> kept_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_KEPT_AT_PLACES_H_
