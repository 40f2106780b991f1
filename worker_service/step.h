// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_STEP_H_
#define SLUICE_WORKER_SERVICE_STEP_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/runtime/kernel_context.h"
#include "core/runtime/local_rendezvous.h"
#include "core/threads/cancel.h"
#include "transport/messages.h"
#include "worker_service/peers/consumption.h"
#include "worker_service/peers/peers.h"

namespace sluice::worker {

// One step on one worker: its rendezvous, its cancel token and its per-step resources. It may exist
// before its RunGraph arrives, to hold tensors that peers sent early.
//
// Owner:    the Worker's step table, and the run while it runs.
// Threads:  any.
class Step final : public Rendezvous, private LocalRendezvous::Source {
 public:
  Step(transport::StepId id, Peers* peers) : id_(id), peers_(peers), created_(absl::Now()) {}

  const transport::StepId& id() const { return id_; }
  absl::Time created() const { return created_; }
  CancelToken& cancel() { return cancel_; }
  ResourceStore& resources() { return resources_; }

  // For a partial run: tensors under client keys (transport/messages.h) go to `client`. Call it
  // before the step runs.
  void FollowClient(std::shared_ptr<Rendezvous> client);

  // Rendezvous. A remote Send uses the peer's channel. A remote Recv pulls an announced tensor and
  // returns credit.
  absl::Status Send(const EdgeKey& key, int peer, Parcel parcel) override;
  void Recv(const EdgeKey& key, int peer, Received done) override;
  void Abort(const absl::Status& status) override;

  // For a traced step, before it runs: records when each tensor of another task is requested and
  // when it arrives.
  void TraceTransfers();
  struct Transfer {
    EdgeKey key;
    int peer = 0;
    int64_t bytes = 0, start_ns = 0, end_ns = 0;
    std::string transport = "";  // the transport by which it arrived
  };
  std::vector<Transfer> transfers() const;

  // Called on the channel's loop.
  void Arrived(const EdgeKey& key, Parcel parcel);
  void Announced(int peer, const EdgeKey& key);
  void PeerBroken(int peer, const absl::Status& status);
  bool Awaits(int peer) const { return local_.AwaitsFrom(peer); }
  std::vector<std::string> AwaitedTasks() const;  // of which a tensor is awaited, sorted

  // The step needs no more tensors: channels drop those that they keep for it.
  void End();

 private:
  std::shared_ptr<Rendezvous> ClientOf(const EdgeKey& key);  // null if the key is not a client's
  void Use(int peer);
  Received Traced(const EdgeKey& key, int peer, Received done);

  // LocalRendezvous::Source
  void Pull(int peer, const EdgeKey& key) override;
  void Taken(int peer, const Parcel& parcel) override;

  const transport::StepId id_;
  Peers* const peers_;  // outlives every step
  const absl::Time created_;
  CancelToken cancel_;
  ResourceStore resources_;
  Consumption consumption_{peers_, id_, /*reported=*/4096};
  bool traced_ = false;  // does not change while the step runs

  // the last entry of used_: most steps use one peer for a while
  std::atomic<int> last_used_{kLocal};

  mutable absl::Mutex mu_;
  std::vector<Transfer> transfers_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<int> used_ ABSL_GUARDED_BY(mu_);  // peers that this step used

  std::shared_ptr<Rendezvous> client_ ABSL_GUARDED_BY(mu_);  // for a partial run, else null

  LocalRendezvous local_{this};  // last: its callbacks use the members above
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_STEP_H_
