// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_GROUPS_STEP_COLLECTIVES_H_
#define SLUICE_WORKER_SERVICE_GROUPS_STEP_COLLECTIVES_H_

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/collectives.h"
#include "core/threads/cancel.h"
#include "core/threads/timer.h"
#include "worker_service/groups/groups.h"

namespace sluice::worker {

// An operation of a graph: a device, a group key and an instance key.
struct CollectiveUse {
  std::string device;
  int64_t group = 0, instance = 0;
  bool operator==(const CollectiveUse&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const CollectiveUse& u) {
    return H::combine(std::move(h), u.device, u.group, u.instance);
  }
};

// The collective operations of a graph: those that its nodes name, and those that its steps ran.
// If a step fails before one of them, the other members would wait for nothing.
//
// Owner:    the session's graph; its steps share it.
// Threads:  any.
class CollectiveUses {
 public:
  void Add(const absl::flat_hash_set<CollectiveUse>& uses) {
    absl::MutexLock lock(&mu_);
    uses_.insert(uses.begin(), uses.end());
  }
  absl::flat_hash_set<CollectiveUse> all() const {
    absl::MutexLock lock(&mu_);
    return uses_;
  }

 private:
  mutable absl::Mutex mu_;
  absl::flat_hash_set<CollectiveUse> uses_ ABSL_GUARDED_BY(mu_);
};

// A session's way to the groups of its task.
struct SessionGroups {
  Groups* groups = nullptr;  // these outlive the session
  WorkQueue* pool = nullptr;
  Timer* timer = nullptr;
  std::string session;
  std::string leader = "";   // the task; empty: the first by name
  std::string refused = "";  // the reason why the session has no groups; empty: it has
  // All-reduces of the memory of GPUs use a library where all members can (collective_nccl).
  bool use_library = false;
};

// The collective operations of one step.
//
// Owner:    the run of the step.
// Threads:  any.
class StepCollectives final : public Collectives {
 public:
  // These outlive the step. `cancel` is the step's, `uses` are those of its graph.
  StepCollectives(const SessionGroups& session, CollectiveUses* uses, CancelToken* cancel)
      : session_(session), uses_(uses), cancel_(cancel) {}

  void Start(Device& device, CollectiveCall call, Done done) override;
  // The step has ended. After an error its groups end: the other members would wait for operations
  // that it did not complete, and if it ran again, those that it did complete would be added to
  // operations of a later step.
  void End(const absl::Status& status);

 private:
  class Operation;
  // Whether the operation has to wait for the beginning of others, which the graph has. Begun calls
  // its Resume then. INVALID_ARGUMENT if they wait for each other.
  absl::StatusOr<bool> MustWait(const std::shared_ptr<Operation>& operation);
  void Begun(const CollectiveUse& use);
  // INVALID_ARGUMENT if an operation of this step, outside of loops, had the same instance key.
  absl::StatusOr<uint64_t> RoundOf(const std::shared_ptr<Group>& group, int rank, int64_t instance,
                                   uint32_t position);
  void Completed(const Groups::MemberKey& key, int64_t instance);
  void Failed(const Groups::MemberKey& key, const absl::Status& status);
  // The first failure of an operation of this step in the group. Later ones do not start: they
  // would wait in the next incarnation for members that run the step again.
  absl::Status FailureIn(const Groups::MemberKey& key) const;

  const SessionGroups& session_;
  CollectiveUses* const uses_;
  CancelToken* const cancel_;
  struct InstanceRound {
    std::shared_ptr<Group> group;
    uint64_t round = 0;
    bool ran = false;  // outside of loops
  };
  mutable absl::Mutex mu_;
  // by incarnation, rank and instance
  absl::flat_hash_map<std::tuple<uint64_t, int, int64_t>, InstanceRound> rounds_
      ABSL_GUARDED_BY(mu_);
  struct WaitingOperation {
    CollectiveUse use;
    std::vector<CollectiveUse> missing;  // that have not begun
    std::shared_ptr<Operation> operation;
  };
  absl::flat_hash_set<CollectiveUse> begun_ ABSL_GUARDED_BY(mu_);
  std::vector<WaitingOperation> waiting_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<CollectiveUse> completed_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<Groups::MemberKey, absl::Status> failed_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_GROUPS_STEP_COLLECTIVES_H_
