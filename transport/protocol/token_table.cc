// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/token_table.h"

namespace sluice::transport {

std::string TokenTable::TokenFor(const PeerIdentity& peer) {
  constexpr size_t kRemembered = 10'000;
  absl::MutexLock lock(&mu_);
  if (!tokens_.contains(peer.task)) {
    order_.push_back(peer.task);
    if (order_.size() > kRemembered) {
      tokens_.erase(order_.front());
      order_.pop_front();
    }
  }
  Entry& entry = tokens_[peer.task];
  if (entry.token.empty() || entry.incarnation != peer.incarnation)
    entry = {peer.incarnation, RandomToken()};
  return entry.token;
}

bool TokenTable::Knows(const std::string& task, const std::string& token) const {
  absl::MutexLock lock(&mu_);
  auto it = tokens_.find(task);
  return it != tokens_.end() && it->second.token == token;
}

}  // namespace sluice::transport
