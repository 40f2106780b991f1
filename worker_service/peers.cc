#include "worker_service/peers.h"

namespace sluice::worker {

Peers::Peers(std::vector<transport::PeerAddress> peers, transport::Transport* transport)
    : transport_(transport) {
  for (transport::PeerAddress& address : peers) {
    numbers_[address.task] = static_cast<int>(peers_.size());
    peers_.emplace_back().address = std::move(address);
  }
}

absl::StatusOr<int> Peers::Find(absl::string_view task) const {
  auto it = numbers_.find(task);
  if (it == numbers_.end()) return InvalidArgument("the cluster has no task ", task);
  return it->second;
}

absl::StatusOr<transport::TensorChannel*> Peers::Channel(int peer) {
  Peer& p = peers_[peer];
  if (auto* channel = p.ready.load(std::memory_order_acquire); channel != nullptr) return channel;
  absl::MutexLock lock(&mu_);
  if (p.channel == nullptr) {
    if (transport_ == nullptr) return Unavailable("no transport reaches ", p.address.task);
    SLUICE_ASSIGN(p.channel, transport_->ConnectChannel(p.address));
    p.ready.store(p.channel.get(), std::memory_order_release);
  }
  return p.channel.get();
}

}  // namespace sluice::worker
