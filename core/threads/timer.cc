// SPDX-License-Identifier: Apache-2.0
#include "core/threads/timer.h"

#include "absl/time/clock.h"

namespace sluice {

Timer::Timer() : thread_([this] { Loop(); }) {}

Timer::~Timer() {
  {
    absl::MutexLock lock(&mu_);
    stop_ = true;
    changed_.Signal();
  }
  thread_.join();
}

int64_t Timer::At(absl::Time when, Callback callback) {
  absl::MutexLock lock(&mu_);
  const int64_t id = next_id_++;
  waiting_.emplace(std::make_pair(when, id), std::move(callback));
  when_[id] = when;
  if (when < sleeps_until_) changed_.Signal();
  return id;
}

void Timer::Forget(int64_t id) {
  Callback dropped;  // destroyed outside the lock
  absl::MutexLock lock(&mu_);
  auto it = when_.find(id);
  if (it == when_.end()) return;
  auto entry = waiting_.find({it->second, id});
  dropped = std::move(entry->second);
  waiting_.erase(entry);
  when_.erase(it);
}

void Timer::Loop() {
  while (true) {
    Callback due;
    {
      absl::MutexLock lock(&mu_);
      if (stop_) return;
      const absl::Time first =
          waiting_.empty() ? absl::InfiniteFuture() : waiting_.begin()->first.first;
      if (first > absl::Now()) {
        sleeps_until_ = first;
        changed_.WaitWithDeadline(&mu_, first);
        sleeps_until_ = absl::InfinitePast();
        continue;
      }
      when_.erase(waiting_.begin()->first.second);
      due = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
    }
    due();
  }
}

}  // namespace sluice
