// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_STEP_TABLE_H_
#define SLUICE_WORKER_SERVICE_STEP_TABLE_H_

#include <functional>
#include <memory>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "worker_service/step.h"

namespace sluice::worker {

// The running steps of a worker, and those for which tensors arrived before their RunGraph. A
// master numbers its steps. An ended step is remembered until the master reports that all steps
// below a later number have ended too.
//
// from       when                                  to        does
// (none)     a tensor arrives                      waiting   stores it in a new Step
// (none)     RunGraph                              running   new Step
// waiting    RunGraph                              running   the tensors are there already
// waiting    oldest_live passes it, lease ends     ended     drops its tensors
// running    RunGraph ends                         ended     Step::End
// ended      a tensor arrives                      ended     the tensor is dropped
//
// Threads:  any; one mutex.
class StepTable {
 public:
  explicit StepTable(Peers* peers) : peers_(peers) {}

  // For RunGraph. ABORTED if the step has ended or is already running.
  absl::StatusOr<std::shared_ptr<Step>> Begin(const transport::StepId& id, uint64_t oldest_live);
  void End(const transport::StepId& id);
  // For an arriving tensor. Null if the step has ended.
  std::shared_ptr<Step> FindOrExpect(const transport::StepId& id);
  std::vector<std::shared_ptr<Step>> All() const;
  // Drops waiting steps of masters that were silent since `limit`, and removes masters without
  // steps.
  void Expire(absl::Time limit);
  size_t size() const;
  size_t masters() const;

 private:
  struct Master {
    uint64_t oldest_live = 0;
    absl::flat_hash_set<uint64_t> ended;
    absl::Time heard = absl::InfinitePast();
  };
  struct Entry {
    std::shared_ptr<Step> step;
    bool running = false;
  };

  Peers* const peers_;
  mutable absl::Mutex mu_;
  absl::flat_hash_map<transport::StepId, Entry> steps_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<uint64_t, Master> masters_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_STEP_TABLE_H_
