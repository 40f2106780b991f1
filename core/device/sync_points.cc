// SPDX-License-Identifier: Apache-2.0
#include "core/device/sync_points.h"

#include <utility>

namespace sluice {

uint64_t SyncPoints::Begin() {
  absl::MutexLock lock(&mu_);
  ++sections_.back().unfinished;
  return first_ + sections_.size() - 1;
}

void SyncPoints::End(uint64_t work) {
  {
    absl::MutexLock lock(&mu_);
    --sections_[work - first_].unfinished;
  }
  RunReady();
}

void SyncPoints::Add(Done done) {
  {
    absl::MutexLock lock(&mu_);
    sections_.back().done = std::move(done);
    sections_.emplace_back();
  }
  RunReady();
}

// One thread at a time, so that callbacks keep their order; a callback may add points.
void SyncPoints::RunReady() {
  {
    absl::MutexLock lock(&mu_);
    if (running_) return;
    running_ = true;
  }
  for (;;) {
    Done done;
    {
      absl::MutexLock lock(&mu_);
      if (sections_.size() == 1 || sections_.front().unfinished > 0) {
        running_ = false;
        return;
      }
      done = std::move(sections_.front().done);
      sections_.pop_front();
      ++first_;
    }
    std::move(done)(status_());
  }
}

}  // namespace sluice
