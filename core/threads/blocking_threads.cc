// SPDX-License-Identifier: Apache-2.0
#include "core/threads/blocking_threads.h"

#include <pthread.h>

#include <deque>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/threads/flush_denormals.h"

namespace sluice {
namespace {

constexpr absl::Duration kIdle = absl::Seconds(10);

class Threads {
 public:
  void Run(absl::AnyInvocable<void()> task) {
    {
      absl::MutexLock lock(&mu_);
      tasks_.push_back(std::move(task));
      // Each idle thread takes one of the tasks.
      if (idle_ >= static_cast<int>(tasks_.size())) return;
      try {
        std::thread([this] { Loop(); }).detach();
        return;
      } catch (const std::system_error&) {  // the system has no more threads
        task = std::move(tasks_.back());
        tasks_.pop_back();
      }
    }
    std::move(task)();
  }

 private:
  void Loop() {
    pthread_setname_np(pthread_self(), "sluice-blocking");
    const FlushDenormals flush;
    for (;;) {
      absl::AnyInvocable<void()> task;
      {
        absl::MutexLock lock(&mu_);
        ++idle_;
        const bool found = mu_.AwaitWithTimeout(absl::Condition(this, &Threads::HasTask), kIdle);
        --idle_;
        if (!found) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      std::move(task)();
    }
  }
  bool HasTask() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return !tasks_.empty(); }

  absl::Mutex mu_;
  std::deque<absl::AnyInvocable<void()>> tasks_ ABSL_GUARDED_BY(mu_);
  int idle_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace

void RunBlocking(absl::AnyInvocable<void()> task) {
  static Threads* const threads = new Threads;  // never destroyed: threads may outlive main
  threads->Run(std::move(task));
}

}  // namespace sluice
