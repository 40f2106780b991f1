// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_EVENT_LOOP_H_
#define SLUICE_TRANSPORT_GRPC_EVENT_LOOP_H_

#include <time.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace grpc {
class ServerBuilder;
class ServerCompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// Runs the gRPC events of one task. Its server and its calls to others share one completion queue
// and a fixed number of threads. One thread leads: only the leader waits for events, and it runs
// them itself. So an event does not wake a second thread (gRPC wakes the next waiting thread before
// it runs an event). A thread that is about to work long, or to wait, steps aside first; another
// thread then leads.
//
// The leader also reads from the sockets, inside gRPC, and reads one for as long as it has bytes. A
// peer that sends without end would keep it from all others. So one standing thread, the deputy,
// checks at intervals whether the leader works without events, and then leads in its place.
//
// from      when                              to        does
// standing  no thread leads                   leading   takes the queue's events, runs them
// standing  the leader works without events   leading   the same; the other is busy
// leading   its event steps aside             busy      lets another lead, continues the event
// busy      the event has been run            standing
// any       the queue is shut down and empty  (gone)
//
// Owner:    the objects that make calls on the queue share it; their calls end before it goes.
// Threads:  its own; queue() and StepAside() from any.
class EventLoop {
 public:
  explicit EventLoop(int threads = 4);
  ~EventLoop();

  grpc::ServerCompletionQueue* queue() { return queue_.get(); }
  // The builder of a server that listens on the queue; at most one server.
  grpc::ServerBuilder& builder() { return *builder_; }

  // The event that the calling thread runs may take long, or waits for others. Nothing on threads
  // that lead no loop.
  static void StepAside();
  // The same before a message is parsed or copied, if it is a large one.
  static void StepAsideFor(size_t bytes) {
    if (bytes >= (64 << 10)) StepAside();
  }

 private:
  void Run();
  // Waits until this thread is the leader. False if the loop is over.
  bool AwaitLead();
  void Lead();

  const std::unique_ptr<grpc::ServerBuilder> builder_;
  const std::unique_ptr<grpc::ServerCompletionQueue> queue_;
  absl::Mutex mu_;
  bool led_ ABSL_GUARDED_BY(mu_) = false;
  bool over_ ABSL_GUARDED_BY(mu_) = false;
  bool has_deputy_ ABSL_GUARDED_BY(mu_) = false;
  clockid_t leader_ ABSL_GUARDED_BY(mu_) = 0;  // the clock of its time on a processor
  std::atomic<uint64_t> lead_{0};              // the number of the leader; each has another
  std::atomic<uint64_t> events_{0};
  std::vector<std::thread> threads_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_EVENT_LOOP_H_
