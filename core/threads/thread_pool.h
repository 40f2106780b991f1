// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_THREAD_POOL_H_
#define SLUICE_CORE_THREADS_THREAD_POOL_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/functional/any_invocable.h"
#include "absl/functional/function_ref.h"

namespace sluice {

// A WorkQueue runs tasks later, on its own threads.
class WorkQueue {
 public:
  using Task = absl::AnyInvocable<void()>;
  virtual ~WorkQueue() = default;
  virtual void Schedule(Task task) = 0;
  virtual int num_threads() const = 0;
  virtual bool InWorker() const { return false; }  // the calling thread is one of ours
};

// A work-stealing pool, whose threads flush denormals to zero. The destructor finishes scheduled
// tasks.
std::unique_ptr<WorkQueue> CreateThreadPool(int threads, std::string name);

// The double for tests: tasks run in order when RunAll is called, on the calling thread.
class SerialQueue : public WorkQueue {
 public:
  SerialQueue();
  ~SerialQueue() override;
  void Schedule(Task task) override;
  int num_threads() const override { return 1; }
  int RunAll();  // until the queue is empty; returns the number of tasks run

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Splits [0, total) over the pool and the calling thread, and waits; `cost` is ns per unit. Below
// about 20 us of work, or in a pool of one thread, it runs on the calling thread. `fn(begin, end)`
// may run several times in parallel. It may be called on a pool thread: the caller works on
// unclaimed blocks itself and never waits for a block that has not begun.
void ParallelFor(WorkQueue* pool, int64_t total, double cost,
                 absl::FunctionRef<void(int64_t, int64_t)> fn);

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_THREAD_POOL_H_
