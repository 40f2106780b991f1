// SPDX-License-Identifier: Apache-2.0
#include "core/threads/blocking_threads.h"

#include <pthread.h>

#include <algorithm>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/threads/flush_denormals.h"

namespace sluice {
namespace {

constexpr absl::Duration kIdle = absl::Seconds(10);

using Task = absl::AnyInvocable<void()>;

class Threads {
 public:
  void Run(Task task) {
    {
      absl::MutexLock lock(&mu_);
      if (!idle_.empty()) {
        idle_.back()->task = std::move(task);
        idle_.pop_back();
        return;
      }
    }
    const auto first = std::make_shared<Task>(std::move(task));
    try {
      std::thread([this, first] { Loop(std::move(*first)); }).detach();
    } catch (const std::system_error&) {  // the system has no more threads
      (*first)();
    }
  }

 private:
  // An idle thread, and the task that it is given.
  struct Idle {
    Task task;
    bool HasTask() const { return task != nullptr; }
  };

  void Loop(Task task) {
    pthread_setname_np(pthread_self(), "sluice-blocking");
    const FlushDenormals flush;
    while (task != nullptr) {
      task();
      task = nullptr;  // what it holds is released before the wait
      task = Await();
    }
  }
  // Null if none comes.
  Task Await() {
    Idle idle;
    absl::MutexLock lock(&mu_);
    idle_.push_back(&idle);
    if (!mu_.AwaitWithTimeout(absl::Condition(&idle, &Idle::HasTask), kIdle))
      idle_.erase(std::find(idle_.begin(), idle_.end(), &idle));
    return std::move(idle.task);
  }

  absl::Mutex mu_;
  // The last one gets the next task, so that its memory in malloc and in the allocator serves again.
  std::vector<Idle*> idle_ ABSL_GUARDED_BY(mu_);
};

}  // namespace

void RunBlocking(absl::AnyInvocable<void()> task) {
  static Threads* const threads = new Threads;  // never destroyed: threads may outlive main
  threads->Run(std::move(task));
}

}  // namespace sluice
