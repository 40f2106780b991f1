// SPDX-License-Identifier: Apache-2.0
#include "core/runtime/local_rendezvous.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/btree_set.h"

namespace sluice {

std::string EdgeKey::ToString() const {
  std::string text = absl::StrCat("edge ", edge);
  if (frame != 0) absl::StrAppend(&text, " frame ", absl::Hex(frame), " iteration ", iteration);
  if (call != 0) absl::StrAppend(&text, " call ", call);
  return text;
}

LocalRendezvous::~LocalRendezvous() {
  // Without this callback, its kernel would wait for ever.
  Abort(absl::CancelledError("the step's rendezvous is gone"));
}

absl::Status LocalRendezvous::Send(const EdgeKey& key, int /*peer*/, Parcel parcel) {
  std::optional<Waiter> waiter;
  {
    absl::MutexLock lock(&mu_);
    if (!aborted_.ok()) return aborted_;
    const auto it = table_.try_emplace(key).first;
    Entry& entry = it->second;
    entry.announced = false;  // it arrived before it was pulled
    if (entry.waiters.empty()) {
      entry.values.push_back(std::move(parcel));
      ++num_values_;
      return absl::OkStatus();
    }
    waiter = std::move(entry.waiters.front());
    entry.waiters.erase(entry.waiters.begin());
    --num_waiting_;
    if (entry.waiters.empty()) table_.erase(it);
  }
  Hand(waiter->peer, std::move(waiter->done), std::move(parcel));
  return absl::OkStatus();
}

void LocalRendezvous::Recv(const EdgeKey& key, int peer, Received done) {
  Parcel parcel;
  absl::Status failure;
  Found found = Find(key, peer, done, parcel, failure);
  if (found == Found::kAnnounced) {
    source_->Pull(peer, key);
    found = Find(key, peer, done, parcel, failure);
  }
  if (found == Found::kValue) Hand(peer, std::move(done), std::move(parcel));
  if (found == Found::kFailure) std::move(done)(failure);
}

// Keeps `done` until the value arrives.
LocalRendezvous::Found LocalRendezvous::Find(const EdgeKey& key, int peer, Received& done,
                                             Parcel& parcel, absl::Status& failure) {
  absl::MutexLock lock(&mu_);
  failure = aborted_;
  if (!failure.ok()) return Found::kFailure;
  const auto it = table_.try_emplace(key).first;
  Entry& entry = it->second;
  if (!entry.values.empty()) {
    parcel = std::move(entry.values.front());
    entry.values.erase(entry.values.begin());
    --num_values_;
    if (entry.values.empty()) table_.erase(it);
    return Found::kValue;
  }
  if (const auto gone = gone_.find(peer); gone != gone_.end()) {
    failure = gone->second;
    table_.erase(it);
    return Found::kFailure;
  }
  if (std::exchange(entry.announced, false)) return Found::kAnnounced;
  entry.waiters.push_back({peer, std::move(done)});
  ++num_waiting_;
  return Found::kNothing;
}

void LocalRendezvous::Hand(int peer, Received done, Parcel parcel) {
  if (peer != kLocal && source_ != nullptr) source_->Taken(peer, parcel);
  std::move(done)(std::move(parcel));
}

bool LocalRendezvous::Announce(const EdgeKey& key) {
  absl::MutexLock lock(&mu_);
  if (!aborted_.ok()) return false;
  Entry& entry = table_[key];
  entry.announced = entry.waiters.empty() && entry.values.empty();
  return !entry.waiters.empty();
}

void LocalRendezvous::FailFrom(int peer, const absl::Status& status) {
  absl::Status reason;
  std::vector<Received> failed;
  {
    absl::MutexLock lock(&mu_);
    reason = gone_.try_emplace(peer, status).first->second;
    failed = TakeWaiters([&](const EdgeKey&, const Waiter& first) { return first.peer == peer; });
  }
  for (Received& done : failed) std::move(done)(reason);
}

void LocalRendezvous::FailPending(absl::FunctionRef<bool(const EdgeKey&)> chosen,
                                  const absl::Status& status) {
  std::vector<Received> failed;
  {
    absl::MutexLock lock(&mu_);
    failed = TakeWaiters([&](const EdgeKey& key, const Waiter&) { return chosen(key); });
  }
  for (Received& done : failed) std::move(done)(status);
}

std::vector<LocalRendezvous::Received> LocalRendezvous::TakeWaiters(
    absl::FunctionRef<bool(const EdgeKey&, const Waiter& first)> chosen) {
  std::vector<Received> taken;
  absl::erase_if(table_, [&](auto& item) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    auto& waiters = item.second.waiters;
    if (waiters.empty() || !chosen(item.first, waiters.front())) return false;
    for (Waiter& waiter : waiters) taken.push_back(std::move(waiter.done));
    num_waiting_ -= static_cast<int64_t>(waiters.size());
    return true;
  });
  return taken;
}

absl::Status LocalRendezvous::FailureOf(int peer) const {
  absl::MutexLock lock(&mu_);
  const auto it = gone_.find(peer);
  return it != gone_.end() ? it->second : absl::OkStatus();
}

bool LocalRendezvous::AwaitsFrom(int peer) const {
  absl::MutexLock lock(&mu_);
  return num_waiting_ > 0 && std::any_of(table_.begin(), table_.end(), [&](const auto& item) {
           const auto& waiters = item.second.waiters;
           return !waiters.empty() && waiters.front().peer == peer;
         });
}

std::vector<int> LocalRendezvous::awaited_peers() const {
  absl::btree_set<int> peers;
  absl::MutexLock lock(&mu_);
  for (const auto& [key, entry] : table_) {
    for (const Waiter& waiter : entry.waiters) {
      if (waiter.peer != kLocal) peers.insert(waiter.peer);
    }
  }
  return {peers.begin(), peers.end()};
}

void LocalRendezvous::Abort(const absl::Status& status) {
  Table dropped;
  absl::Status reason;
  {
    absl::MutexLock lock(&mu_);
    if (aborted_.ok()) aborted_ = status.ok() ? absl::AbortedError("aborted") : status;
    reason = aborted_;
    dropped.swap(table_);
    num_values_ = num_waiting_ = 0;
  }
  for (auto& [key, entry] : dropped) {
    for (Waiter& waiter : entry.waiters) std::move(waiter.done)(reason);
  }
}

int64_t LocalRendezvous::num_values() const {
  absl::MutexLock lock(&mu_);
  return num_values_;
}

int64_t LocalRendezvous::num_waiting() const {
  absl::MutexLock lock(&mu_);
  return num_waiting_;
}

std::vector<EdgeKey> LocalRendezvous::waiting(size_t limit) const {
  absl::MutexLock lock(&mu_);
  std::vector<EdgeKey> keys;
  for (const auto& [key, entry] : table_) {
    if (keys.size() == limit) break;
    if (!entry.waiters.empty()) keys.push_back(key);
  }
  return keys;
}

}  // namespace sluice
