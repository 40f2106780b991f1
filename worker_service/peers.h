#ifndef SLUICE_WORKER_SERVICE_PEERS_H_
#define SLUICE_WORKER_SERVICE_PEERS_H_

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/transport.h"

namespace sluice::worker {

// The other tasks of the cluster, numbered, with a channel to each that was ever needed.
//
// Owner:    Worker.
// Threads:  any.
class Peers {
 public:
  // `transport` outlives this; null for a cluster of one.
  Peers(std::vector<transport::PeerAddress> peers, transport::Transport* transport);

  // The number of a task; INVALID_ARGUMENT when the cluster does not have it.
  absl::StatusOr<int> Find(absl::string_view task) const;
  const std::string& task(int peer) const { return peers_[peer].address.task; }
  // The channel to a peer, made at the first call.
  absl::StatusOr<transport::TensorChannel*> Channel(int peer);

 private:
  struct Peer {
    transport::PeerAddress address;
    std::unique_ptr<transport::TensorChannel> channel;
    std::atomic<transport::TensorChannel*> ready{nullptr};  // read on every Send without the lock
  };
  std::deque<Peer> peers_;  // fixed after construction, but for the channels
  absl::flat_hash_map<std::string, int> numbers_;
  transport::Transport* const transport_;
  absl::Mutex mu_;  // while a channel is made
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_PEERS_H_
