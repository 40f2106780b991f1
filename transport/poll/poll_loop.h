// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_POLL_POLL_LOOP_H_
#define SLUICE_TRANSPORT_POLL_POLL_LOOP_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/status.h"
#include "transport/poll/descriptor.h"

namespace sluice::transport {

// A PollLoop has one thread that waits for descriptors of many peers and calls their watchers.
//
// Owner:    shared by the transports that use it; a watched object holds it until Forget.
// Threads:  any.
class PollLoop {
 public:
  // Called on the loop's thread; must not block.
  class Watcher {
   public:
    virtual ~Watcher() = default;
    virtual void Ready(uint32_t events) = 0;  // EPOLLIN, EPOLLOUT, EPOLLHUP, ...
  };
  // Memory that another process writes. The loop polls it instead of sleeping.
  class Spinner {
   public:
    virtual ~Spinner() = default;
    virtual bool Look() = 0;  // does pending work; false if there was none
    virtual bool Rest() = 0;  // asks to be woken; false if there is new work: call Look again
  };

  // After work the loop polls for `spin` before it sleeps. It yields its processor to other threads
  // meanwhile.
  explicit PollLoop(const std::string& name, absl::Duration spin = absl::ZeroDuration());
  ~PollLoop();  // not on the loop's thread

  // Watches until Forget. `*id`, never 0, is set before the first callback.
  absl::Status Watch(int fd, uint32_t events, std::shared_ptr<Watcher> watcher, uint64_t* id);
  void Change(uint64_t id, int fd, uint32_t events);
  // No Ready begins afterwards. One that has begun may still run, unless this is the loop's thread.
  void Forget(uint64_t id, int fd);
  void Add(std::shared_ptr<Spinner> spinner);
  void Remove(const Spinner* spinner);
  // Runs the task on the loop's thread: now if this is that thread, else soon.
  void Run(absl::AnyInvocable<void()> task);
  // A write of 8 bytes to it wakes the loop, from another process too.
  int wake_descriptor() const { return wake_.get(); }
  bool InLoop() const { return std::this_thread::get_id() == thread_.get_id(); }

 private:
  void Loop();
  void RunTasks();
  bool Poll();
  bool MaySleep();
  void Wait(int timeout_ms);
  void Wake();

  const int64_t spin_ns_;
  Descriptor epoll_, wake_;
  absl::Mutex mu_;
  uint64_t last_id_ ABSL_GUARDED_BY(mu_) = 0;
  absl::flat_hash_map<uint64_t, std::shared_ptr<Watcher>> watchers_ ABSL_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<Spinner>> spinners_ ABSL_GUARDED_BY(mu_);
  std::vector<absl::AnyInvocable<void()>> tasks_ ABSL_GUARDED_BY(mu_);

  // Used on the loop's thread: a copy of the spinners, so that polling takes no lock.
  bool stopping_ = false;
  std::vector<std::shared_ptr<Spinner>> looked_at_;
  std::atomic<bool> spinners_changed_{false}, has_tasks_{false};
  std::thread thread_;  // last
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_POLL_POLL_LOOP_H_
