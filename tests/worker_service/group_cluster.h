// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_WORKER_SERVICE_GROUP_CLUSTER_H_
#define SLUICE_TESTS_WORKER_SERVICE_GROUP_CLUSTER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "core/runtime/device.h"
#include "tests/worker_service/wire.h"
#include "worker_service/groups/step_collectives.h"

namespace sluice::worker {

// The groups of several tasks in one process. Task 0 leads.
class GroupCluster {
 public:
  // `leader_wait`: see Groups::Options.
  explicit GroupCluster(int tasks, absl::Duration leader_wait = absl::ZeroDuration());
  ~GroupCluster();

  static std::string NameOf(int task) { return absl::StrCat("/job:worker/replica:0/task:", task); }
  Groups& groups(int task) { return *tasks_[static_cast<size_t>(task)]->groups; }

  // Calls to this task fail with UNAVAILABLE, its name and `why`.
  void Kill(int task, const std::string& why = " is gone") {
    tasks_[static_cast<size_t>(task)]->why_dead = why;
    tasks_[static_cast<size_t>(task)]->dead = true;
  }
  void Revive(int task) { tasks_[static_cast<size_t>(task)]->dead = false; }
  // The channel of `task` to `peer` breaks.
  void Break(int task, int peer, const absl::Status& why);
  // The client of this session of the task dies.
  void KillClient(int task, const std::string& session);
  // A process in the place of the killed one.
  void Restart(int task);

  // One step of a task.
  class Step {
   public:
    Step(GroupCluster* cluster, int task, std::string session, CollectiveUses* uses);
    ~Step();  // cancels operations that have not ended
    // Begins an all-reduce of float values by sum.
    void Begin(std::vector<float> values, int members, int64_t instance = 1, int64_t group = 1);
    void Begin(CollectiveCall call);
    void Cancel(const absl::Status& why) { cancel_.Cancel(why); }
    // Waits for the operation that was begun last.
    absl::Status Wait();
    bool done() const { return done_->HasBeenNotified(); }
    std::vector<float> values() const;
    void End(const absl::Status& status);

   private:
    GroupCluster* const cluster_;
    const int task_;
    CancelToken cancel_;
    SessionGroups session_;
    CollectiveUses own_uses_;
    std::unique_ptr<StepCollectives> collectives_;
    std::shared_ptr<absl::Notification> done_ = std::make_shared<absl::Notification>();
    std::shared_ptr<absl::Status> status_ = std::make_shared<absl::Status>();
    std::vector<std::shared_ptr<absl::Notification>> begun_;
    Tensor output_;
  };
  std::unique_ptr<Step> NewStep(int task, const std::string& session = "s",
                                CollectiveUses* uses = nullptr) {
    return std::make_unique<Step>(this, task, session, uses);
  }

 private:
  class Connector;
  class Sink;
  struct Task {
    std::atomic<bool> dead{false};
    std::string why_dead;  // written before `dead`
    absl::Mutex mu;
    absl::flat_hash_set<std::string> gone ABSL_GUARDED_BY(mu);  // sessions whose client has died
    std::unique_ptr<transport::Connector> connector;
    std::unique_ptr<Sink> sink;
    std::unique_ptr<Peers> peers;
    std::unique_ptr<Groups> groups;
    std::unique_ptr<Device> device;
  };
  void Start(int task);

  const int size_;
  const absl::Duration leader_wait_;
  Wire wire_;
  std::unique_ptr<WorkQueue> pool_ = CreateThreadPool(2, "groups");
  std::vector<std::unique_ptr<Task>> tasks_;
  Timer timer_;  // after the tasks: it may be ending an operation of theirs
};

}  // namespace sluice::worker

#endif  // SLUICE_TESTS_WORKER_SERVICE_GROUP_CLUSTER_H_
