// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_EVENTS_H_
#define SLUICE_TRANSPORT_GRPC_EVENTS_H_

// Only folders that use gRPC include this header, because it uses gRPC's types.

namespace sluice::transport {

// An event of a completion queue: an asynchronous operation ended. `ok` is gRPC's.
//
// Threads:  the queue's. An event deletes itself, or belongs to an object that outlives it.
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
  T* const owner_;  // keeps this event alive
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_EVENTS_H_
