// SPDX-License-Identifier: Apache-2.0
#include "master/call_threads.h"

#include <system_error>
#include <thread>
#include <utility>

namespace sluice::master {

void CallThreads::Run(absl::AnyInvocable<void()> call) {
  {
    absl::MutexLock lock(&mu_);
    waiting_.push_back(std::move(call));
    if (threads_ == kMostThreads) return;
    ++threads_;
    try {
      std::thread([this] { Loop(); }).detach();
      return;
    } catch (const std::system_error&) {  // the system has no more threads
      if (threads_ > 1) {
        --threads_;
        return;
      }
    }
  }
  Loop();  // nobody else would run the call
}

absl::Status CallThreads::CheckRoom() const {
  absl::MutexLock lock(&mu_);
  if (waiting_.size() < kMostWaiting) return absl::OkStatus();
  return ResourceExhausted("this master has ", waiting_.size(), " calls that wait for ", threads_,
                           " others");
}

void CallThreads::AwaitEnd() {
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](int* threads) { return *threads == 0; }, &threads_));
}

void CallThreads::Loop() {
  while (true) {
    absl::AnyInvocable<void()> call;
    {
      absl::MutexLock lock(&mu_);
      if (waiting_.empty()) {
        --threads_;
        return;
      }
      call = std::move(waiting_.front());
      waiting_.pop_front();
    }
    call();
  }
}

}  // namespace sluice::master
