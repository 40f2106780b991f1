// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_FUNCTION_INSTANCES_H_
#define SLUICE_KERNELS_COMMON_DATASET_FUNCTION_INSTANCES_H_

#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/function_caller.h"

namespace sluice::kernels {

// The functions that the stages of one iterator call, with stateful kernels of its own: the random
// numbers of a mapped function begin anew with each iterator, and go on when its data set repeats.
//
// Threads:  any.
class FunctionInstances {
 public:
  using Shared = std::shared_ptr<const Function>;

  absl::StatusOr<Shared> Of(const Shared& function) {
    absl::MutexLock lock(&mu_);
    auto& [original, instance] = made_[function.get()];
    if (instance == nullptr) {
      SLUICE_ASSIGN(Shared fresh, function->Fresh());
      original = function;
      have_state_ = have_state_ || fresh != nullptr;
      instance = fresh == nullptr ? function : std::move(fresh);
    }
    return instance;
  }
  bool have_state() {
    absl::MutexLock lock(&mu_);
    return have_state_;
  }

 private:
  absl::Mutex mu_;
  bool have_state_ ABSL_GUARDED_BY(mu_) = false;
  // by the function of the graph, which stays alive, so that its address stays its own
  absl::flat_hash_map<const Function*, std::pair<Shared, Shared>> made_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_FUNCTION_INSTANCES_H_
