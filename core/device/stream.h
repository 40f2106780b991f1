// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_STREAM_H_
#define SLUICE_CORE_DEVICE_STREAM_H_

#include <cstddef>
#include <deque>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"

namespace sluice {

// A Stream runs tasks in order on its own thread.
//
// Owner:    its device.
// Threads:  any; a task may enqueue tasks.
class Stream {
 public:
  using Task = absl::AnyInvocable<void()>;

  explicit Stream(std::string name);
  ~Stream();

  // A stopped stream destroys the task instead of running it.
  void Enqueue(Task task);
  // Blocks while `limit` or more tasks are pending; never on the stream's own thread, or if it is
  // stopped.
  void WaitBelow(size_t limit);
  // Runs all enqueued tasks, and the tasks that they enqueue, then ends.
  // REQUIRES: not called by a task.
  void Stop();

 private:
  void Loop();

  absl::Mutex mu_;
  std::deque<Task> tasks_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;  // the thread ends when the queue is empty
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_STREAM_H_
