// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_PEERS_PEERS_H_
#define SLUICE_WORKER_SERVICE_PEERS_PEERS_H_

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "transport/connector.h"

namespace sluice::worker {

// The other tasks of the cluster, numbered, each with a channel if one was needed. A session with
// its own cluster adds its tasks, under names that end in "#" and the session, and removes them at
// its end.
//
// Owner:    Worker.
// Threads:  any.
class Peers {
 public:
  // `connector` and `returns` (the sink's) outlive this. `connector` is null for a cluster of one.
  Peers(std::vector<transport::PeerAddress> peers, transport::Connector* connector,
        const transport::ReturnPaths* returns);
  ~Peers();

  // The number of a task. INVALID_ARGUMENT if the cluster does not have it.
  absl::StatusOr<int> Find(absl::string_view task) const;
  const std::string& Task(int peer) const { return at(peer).address.task; }
  // The channel to a peer, made at the first call.
  absl::StatusOr<transport::TensorChannel*> Channel(int peer);
  // The return paths, on the streams by which tensors arrive.
  const transport::ReturnPaths& returns() const { return *returns_; }
  // Reports the step's end to the peer, by its return path and by the channel to it, if there is
  // one.
  void EndStep(int peer, const transport::StepId& step) const;

  // RESOURCE_EXHAUSTED when there are too many.
  absl::Status Add(transport::PeerAddress peer);
  void RemoveOf(absl::string_view session);
  // Destroys the channels of peers removed before `limit`. By then no call can use them.
  void Sweep(absl::Time limit);

 private:
  struct Peer {
    transport::PeerAddress address;
    std::shared_ptr<transport::TensorChannel> channel;
    std::atomic<transport::TensorChannel*> ready{nullptr};  // read on every Send without the lock
  };
  // Blocks do not move, so a number is looked up without the lock.
  static constexpr size_t kBlock = 256;
  using Block = std::array<Peer, kBlock>;
  Peer& at(int peer) const {
    return (*blocks_[static_cast<size_t>(peer) / kBlock].load(
        std::memory_order_acquire))[static_cast<size_t>(peer) % kBlock];
  }

  transport::Connector* const connector_;
  const transport::ReturnPaths* const returns_;
  std::array<std::atomic<Block*>, kBlock> blocks_ = {};
  mutable absl::Mutex mu_;  // held while a channel is made, too
  absl::flat_hash_map<std::string, int> numbers_ ABSL_GUARDED_BY(mu_);
  int next_ ABSL_GUARDED_BY(mu_) = 0;
  std::vector<int> free_ ABSL_GUARDED_BY(mu_);
  std::vector<std::pair<absl::Time, int>> removed_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_PEERS_PEERS_H_
