// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_STEP_TABLE_H_
#define SLUICE_WORKER_SERVICE_STEP_TABLE_H_

#include <functional>
#include <memory>
#include <string>
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
// waiting    the stream of one of its tensors      waiting   drops its tensors; the run will fail
//            breaks, or there is no room for more
// running    RunGraph ends                         ended     Step::End
// ended      a tensor arrives                      ended     the tensor is dropped
//
// Threads:  any; one mutex, not held while a step is aborted or ended.
class StepTable {
 public:
  // `limit`: bytes that are kept for waiting steps; 0: a quarter of the memory limit.
  explicit StepTable(Peers* peers, int64_t limit = 0);

  // For RunGraph. ABORTED if the step has ended or is already running.
  absl::StatusOr<std::shared_ptr<Step>> Begin(const transport::StepId& id, uint64_t oldest_live);
  void End(const transport::StepId& id);
  // For a tensor that begins to arrive. Null if the step has ended, or drops what arrives.
  std::shared_ptr<Step> FindOrExpect(const transport::StepId& id);
  // The same for a tensor that `peer` has brought. Its bytes count until the step runs.
  std::shared_ptr<Step> Keep(const transport::StepId& id, const std::string& peer, int64_t bytes);
  // The peer's stream is gone, and with it the tensors that it brought for waiting steps.
  void Broken(const std::string& peer, const absl::Status& status);
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
    // Of a waiting step.
    bool dropping = false;           // what it has and gets
    std::vector<std::string> peers;  // that brought what it has
    int64_t bytes = 0;               // which count
  };
  using Steps = absl::flat_hash_map<transport::StepId, Entry>;

  Steps::iterator Expect(const transport::StepId& id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Drop(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Uncount(Entry& entry) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  Peers* const peers_;
  const int64_t limit_;
  mutable absl::Mutex mu_;
  Steps steps_ ABSL_GUARDED_BY(mu_);
  int64_t waiting_bytes_ ABSL_GUARDED_BY(mu_) = 0;  // of all entries
  absl::flat_hash_map<uint64_t, Master> masters_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_STEP_TABLE_H_
