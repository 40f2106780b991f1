#ifndef SLUICE_TRANSPORT_GRPC_EVENTS_H_
#define SLUICE_TRANSPORT_GRPC_EVENTS_H_

#include <grpcpp/completion_queue.h>

#include <thread>
#include <vector>

// Only transport/grpc includes this: it shows gRPC's types.

namespace sluice::transport {

// What a completion queue hands back: something asynchronous ended. `ok` is gRPC's.
//
// Threads:  the queue's. An event deletes itself, or belongs to something that outlives it.
class Event {
 public:
  virtual ~Event() = default;
  virtual void Happened(bool ok) = 0;
};

// An Event that calls a method of its owner.
template <typename T, void (T::*Method)(bool)>
class EventOf final : public Event {
 public:
  explicit EventOf(T* owner) : owner_(owner) {}
  void Happened(bool ok) override { (owner_->*Method)(ok); }

 private:
  T* const owner_;  // holds this event
};

// Runs a completion queue's events on the calling thread until the queue is shut down and empty.
template <typename Queue>
void RunEvents(Queue& queue) {
  void* tag = nullptr;
  bool ok = false;
  while (queue.Next(&tag, &ok)) static_cast<Event*>(tag)->Happened(ok);
}

// A completion queue and a fixed number of threads that run it. REQUIRES: nothing is started on the
// queue once destruction began.
class EventLoop {
 public:
  explicit EventLoop(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { RunEvents(queue_); });
  }
  ~EventLoop() {
    queue_.Shutdown();
    for (std::thread& thread : threads_) thread.join();
  }
  grpc::CompletionQueue* queue() { return &queue_; }

 private:
  grpc::CompletionQueue queue_;
  std::vector<std::thread> threads_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_EVENTS_H_
