// SPDX-License-Identifier: Apache-2.0
#include "core/device/stream.h"

#include <pthread.h>

#include <utility>

namespace sluice {

Stream::Stream(std::string name) {
  thread_ = std::thread([this] { Loop(); });
  pthread_setname_np(thread_.native_handle(), name.substr(0, 15).c_str());
}

Stream::~Stream() { Stop(); }

void Stream::Enqueue(Task task) {
  absl::MutexLock lock(&mu_);
  if (!stopped_) tasks_.push_back(std::move(task));
}

void Stream::WaitBelow(size_t limit) {
  if (std::this_thread::get_id() == thread_.get_id()) return;
  auto below = [this, limit] {
    mu_.AssertHeld();
    return stopping_ || tasks_.size() < limit;
  };
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(&below));
}

void Stream::Stop() {
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

void Stream::Loop() {
  auto ready = [this] {
    mu_.AssertHeld();
    return stopping_ || !tasks_.empty();
  };
  while (true) {
    Task task;
    {
      absl::MutexLock lock(&mu_);
      mu_.Await(absl::Condition(&ready));
      if (tasks_.empty()) {
        stopped_ = true;
        return;
      }
      task = std::move(tasks_.front());
      tasks_.pop_front();
    }
    std::move(task)();
    task = nullptr;  // its data is destroyed in order, before the next task runs
  }
}

}  // namespace sluice
