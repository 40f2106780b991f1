// SPDX-License-Identifier: Apache-2.0
#include "worker_service/peers/peers.h"

#include "absl/strings/match.h"
#include "absl/time/clock.h"

namespace sluice::worker {

Peers::Peers(std::vector<transport::PeerAddress> peers, transport::Connector* connector,
             const transport::ReturnPaths* returns)
    : connector_(connector), returns_(returns) {
  for (transport::PeerAddress& address : peers) (void)Add(std::move(address));
}

Peers::~Peers() {
  for (auto& block : blocks_) delete block.load();
}

absl::StatusOr<int> Peers::Find(absl::string_view task) const {
  absl::ReaderMutexLock lock(&mu_);
  auto it = numbers_.find(task);
  if (it == numbers_.end()) return InvalidArgument("the cluster has no task ", task);
  return it->second;
}

absl::StatusOr<transport::TensorChannel*> Peers::Channel(int peer) {
  Peer& p = at(peer);
  if (auto* channel = p.ready.load(std::memory_order_acquire); channel != nullptr) return channel;
  absl::MutexLock lock(&mu_);
  if (!numbers_.contains(p.address.task))
    return Aborted("the session that knew ", p.address.task, " is closed");
  if (p.channel == nullptr) {
    if (connector_ == nullptr) return Unavailable("no transport reaches ", p.address.task);
    SLUICE_ASSIGN(p.channel, connector_->ConnectChannel(p.address));
    p.ready.store(p.channel.get(), std::memory_order_release);
  }
  return p.channel.get();
}

void Peers::EndStep(int peer, const transport::StepId& step) const {
  const Peer& p = at(peer);
  returns_->EndStep(p.address.task, step);
  if (auto* channel = p.ready.load(std::memory_order_acquire); channel != nullptr)
    channel->EndStep(step);
}

absl::Status Peers::Add(transport::PeerAddress peer) {
  absl::MutexLock lock(&mu_);
  if (numbers_.contains(peer.task)) return absl::OkStatus();
  int number = next_;
  if (!free_.empty()) {
    number = free_.back();
    free_.pop_back();
  } else if (++next_ > static_cast<int>(kBlock * kBlock)) {
    --next_;
    return ResourceExhausted("this task has ", kBlock * kBlock, " peers already");
  }
  auto& block = blocks_[static_cast<size_t>(number) / kBlock];
  if (block.load(std::memory_order_relaxed) == nullptr)
    block.store(new Block(), std::memory_order_release);
  numbers_[peer.task] = number;
  at(number).address = std::move(peer);
  return absl::OkStatus();
}

void Peers::RemoveOf(absl::string_view session) {
  const std::string ending = absl::StrCat("#", session);
  absl::MutexLock lock(&mu_);
  absl::erase_if(numbers_, [&](const auto& item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    if (!absl::EndsWith(item.first, ending)) return false;
    at(item.second).ready.store(nullptr, std::memory_order_release);
    removed_.emplace_back(absl::Now(), item.second);
    return true;
  });
}

void Peers::Sweep(absl::Time limit) {
  std::vector<std::shared_ptr<transport::TensorChannel>> channels;  // destroyed outside the lock
  {
    absl::MutexLock lock(&mu_);
    std::erase_if(removed_, [&](const auto& item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      if (item.first > limit) return false;
      channels.push_back(std::move(at(item.second).channel));
      free_.push_back(item.second);
      return true;
    });
  }
}

}  // namespace sluice::worker
