// SPDX-License-Identifier: Apache-2.0
#include "core/threads/cancel.h"

#include <utility>

namespace sluice {

absl::Status CancelToken::status() const {
  if (!cancelled()) return absl::OkStatus();
  absl::MutexLock lock(&mu_);
  return reason_;
}

void CancelToken::Cancel(absl::Status reason) {
  if (reason.ok()) reason = absl::CancelledError("cancelled");
  mu_.Lock();
  if (cancelled_.load(std::memory_order_relaxed)) {
    mu_.Unlock();
    return;
  }
  reason_ = reason;
  cancelled_.store(true, std::memory_order_release);
  // One at a time, so that Deregister can remove callbacks that have not run yet.
  while (!callbacks_.empty()) {
    const auto it = callbacks_.begin();
    Callback callback = std::move(it->second);
    callbacks_.erase(it);
    mu_.Unlock();
    callback(reason);
    callback = nullptr;  // its data is destroyed without the lock
    mu_.Lock();
  }
  mu_.Unlock();
}

int64_t CancelToken::Register(Callback callback) {
  absl::MutexLock lock(&mu_);
  if (cancelled_.load(std::memory_order_relaxed)) return 0;
  const int64_t id = next_id_++;
  callbacks_.emplace(id, std::move(callback));
  return id;
}

bool CancelToken::Deregister(int64_t id) {
  Callback dropped;  // destroyed without the lock
  absl::MutexLock lock(&mu_);
  const auto it = callbacks_.find(id);
  if (it == callbacks_.end()) return false;
  dropped = std::move(it->second);
  callbacks_.erase(it);
  return true;
}

}  // namespace sluice
