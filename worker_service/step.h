// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_STEP_H_
#define SLUICE_WORKER_SERVICE_STEP_H_

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/runtime/kernel_context.h"
#include "core/runtime/local_rendezvous.h"
#include "core/threads/cancel.h"
#include "transport/messages.h"
#include "worker_service/peers.h"

namespace sluice::worker {

// One step on one worker: its rendezvous, its cancel token and its per-step resources. It may exist
// before its RunGraph came: tensors that peers pushed ahead wait in it.
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

  // A partial run: what travels under client keys (transport/messages.h) goes there. Before the
  // step runs.
  void FollowClient(std::shared_ptr<Rendezvous> client);

  // Rendezvous. A remote Send goes down the peer's channel; a remote Recv pulls what was announced
  // and returns credit.
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
    std::string transport = "";  // by which it came
  };
  std::vector<Transfer> transfers() const;

  // From the channel's loop.
  void Arrived(const EdgeKey& key, Parcel parcel);
  void Announced(int peer, const EdgeKey& key);
  void PeerBroken(int peer, const absl::Status& status);

  // No tensor of the step will be needed: channels drop what they keep for it.
  void End();

 private:
  std::shared_ptr<Rendezvous> ClientOf(const EdgeKey& key);  // null: not the client's
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
  bool traced_ = false;  // constant while the step runs

  std::atomic<int> last_used_{kLocal};  // of used_: most steps talk to one peer for a while

  mutable absl::Mutex mu_;
  std::vector<Transfer> transfers_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<int> used_ ABSL_GUARDED_BY(mu_);            // peers this step talked to
  absl::flat_hash_map<int, int64_t> taken_ ABSL_GUARDED_BY(mu_);  // bytes that no peer knows of

  std::shared_ptr<Rendezvous> client_ ABSL_GUARDED_BY(mu_);  // of a partial run, else null

  LocalRendezvous local_{this};  // last: its callbacks use what stands above
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_STEP_H_
