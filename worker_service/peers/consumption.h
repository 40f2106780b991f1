// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_PEERS_CONSUMPTION_H_
#define SLUICE_WORKER_SERVICE_PEERS_CONSUMPTION_H_

#include <cstdint>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "worker_service/peers/peers.h"

namespace sluice::worker {

// Reports to peers that this task has consumed their tensors of one step, so that they may send
// more. Small tensors are reported together: the credit is far larger.
//
// Threads:  any.
class Consumption {
 public:
  // Bytes below `reported` wait for the next tensor.
  Consumption(Peers* peers, transport::StepId step, int64_t reported)
      : peers_(peers), step_(step), reported_(reported) {}

  void Add(int peer, const Parcel& parcel) {
    int64_t bytes = transport::ParcelBytes(parcel);
    {
      absl::MutexLock lock(&mu_);
      int64_t& waiting = waiting_[peer];
      waiting += bytes;
      if (waiting < reported_) return;
      bytes = std::exchange(waiting, 0);
    }
    peers_->returns().Consumed(peers_->Task(peer), step_, bytes);
  }

 private:
  Peers* const peers_;  // outlives this
  const transport::StepId step_;
  const int64_t reported_;
  absl::Mutex mu_;
  absl::flat_hash_map<int, int64_t> waiting_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_PEERS_CONSUMPTION_H_
