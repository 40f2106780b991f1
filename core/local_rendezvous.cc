#include "core/local_rendezvous.h"

#include <utility>
#include <vector>

namespace sluice {

std::string EdgeKey::ToString() const {
  std::string text = absl::StrCat("edge ", edge);
  if (frame != 0) absl::StrAppend(&text, " frame ", absl::Hex(frame), " iteration ", iteration);
  if (call != 0) absl::StrAppend(&text, " call ", call);
  return text;
}

LocalRendezvous::~LocalRendezvous() {
  // A callback that is dropped would leave its kernel waiting for ever.
  Abort(absl::CancelledError("the step's rendezvous is gone"));
}

absl::Status LocalRendezvous::Send(const EdgeKey& key, int /*peer*/, Parcel parcel) {
  Received done;
  {
    absl::MutexLock lock(&mu_);
    if (!aborted_.ok()) return aborted_;
    Entry& entry = table_[key];
    if (entry.waiters.empty()) {
      entry.values.push_back(std::move(parcel));
      ++num_values_;
      return absl::OkStatus();
    }
    done = std::move(entry.waiters.front());
    entry.waiters.erase(entry.waiters.begin());
    --num_waiting_;
    if (entry.waiters.empty()) table_.erase(key);
  }
  std::move(done)(std::move(parcel));
  return absl::OkStatus();
}

bool LocalRendezvous::TryRecv(const EdgeKey& key, Parcel* parcel) {
  absl::MutexLock lock(&mu_);
  const auto it = table_.find(key);
  if (it == table_.end() || it->second.values.empty()) return false;
  Entry& entry = it->second;
  *parcel = std::move(entry.values.front());
  entry.values.erase(entry.values.begin());
  --num_values_;
  if (entry.values.empty()) table_.erase(it);
  return true;
}

void LocalRendezvous::Recv(const EdgeKey& key, int /*peer*/, Received done) {
  Parcel parcel;
  absl::Status aborted;
  {
    absl::MutexLock lock(&mu_);
    aborted = aborted_;
    if (aborted.ok()) {
      Entry& entry = table_[key];
      if (entry.values.empty()) {
        entry.waiters.push_back(std::move(done));
        ++num_waiting_;
        return;
      }
      parcel = std::move(entry.values.front());
      entry.values.erase(entry.values.begin());
      --num_values_;
      if (entry.values.empty()) table_.erase(key);
    }
  }
  if (!aborted.ok()) return std::move(done)(aborted);
  std::move(done)(std::move(parcel));
}

void LocalRendezvous::FailRecv(const EdgeKey& key, const absl::Status& status) {
  absl::InlinedVector<Received, 1> waiters;
  {
    absl::MutexLock lock(&mu_);
    const auto it = table_.find(key);
    if (it == table_.end() || it->second.waiters.empty()) return;
    waiters = std::move(it->second.waiters);
    num_waiting_ -= static_cast<int64_t>(waiters.size());
    table_.erase(it);
  }
  for (Received& done : waiters) std::move(done)(status);
}

void LocalRendezvous::Abort(const absl::Status& status) {
  absl::flat_hash_map<EdgeKey, Entry> dropped;
  absl::Status reason;
  {
    absl::MutexLock lock(&mu_);
    if (aborted_.ok()) aborted_ = status.ok() ? absl::AbortedError("aborted") : status;
    reason = aborted_;
    dropped.swap(table_);
    num_values_ = num_waiting_ = 0;
  }
  for (auto& [key, entry] : dropped) {
    for (Received& done : entry.waiters) std::move(done)(reason);
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
