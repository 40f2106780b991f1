// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_OPEN_CONNECTION_H_
#define SLUICE_TRANSPORT_ADMISSION_OPEN_CONNECTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "transport/admission/endpoint.h"

namespace sluice::transport {

// One open connection of a task's port, and what its client has done so far.
//
// Owner:    the table; the calls of the connection meanwhile.
// Threads:  any, except where noted.
class OpenConnection {
 public:
  // A client that cancels more calls in a second, or goes on to send more bytes a second that
  // belong to no call, costs the others too much time.
  static constexpr int kCancelledPerSecond = 1000;
  static constexpr int64_t kIdleBytesPerSecond = 64 << 10;

  // `fd` may be closed by gRPC at any time.
  explicit OpenConnection(int fd, Endpoint peer);

  const Endpoint& peer() const { return peer_; }
  // Whether the client has opened a session, run a step or brought a tensor stream.
  bool known() const { return known_.load(std::memory_order_relaxed); }
  // False if it was known before.
  bool BecomesKnown() { return !known_.exchange(true); }
  bool admitted() const { return admitted_.load(std::memory_order_relaxed); }
  // A call is admitted. True for the first one.
  bool AdmitsFirstCall() { return !admitted_.exchange(true, std::memory_order_relaxed); }

  // A call begins, and the server reads its message.
  void Begins() {
    calls_.fetch_add(1, std::memory_order_relaxed);
    reading_.fetch_add(1, std::memory_order_relaxed);
  }
  void HasRead(size_t bytes) {
    bytes_.fetch_add(static_cast<int64_t>(bytes), std::memory_order_relaxed);
    reading_.fetch_sub(1, std::memory_order_relaxed);
  }
  // A call begins that is a stream of messages, which are not counted.
  void BeginsStream() { streams_.store(true, std::memory_order_relaxed); }
  // A call was cancelled. False for the first one that is too many since the last check.
  bool MayCancel() {
    return cancelled_.fetch_add(1, std::memory_order_relaxed) != kCancelledPerSecond;
  }

  bool IsOpen() const;
  // Resets the connection although gRPC owns its descriptor: gRPC finds it closed. False if it is
  // closed already, or was reset before.
  bool Reset() const;
  // How much the system keeps of what the client sends, before gRPC reads it: gRPC works through
  // all of it even after a reset.
  void HoldLittle() const;
  void HoldMuch() const;
  // Called once a second, by one thread at a time. True if the client sends too many bytes that
  // belong to no call.
  bool CheckBytes(absl::Time now);

 private:
  // The descriptor may belong to another file by now. The kernel's number of the socket tells.
  const int fd_;
  const uint64_t cookie_;
  const Endpoint peer_;
  std::atomic<bool> admitted_{false}, known_{false}, streams_{false};
  mutable std::atomic<bool> was_reset_{false};  // gRPC closes it later
  std::atomic<int> cancelled_{0};               // since the last check
  std::atomic<int> reading_{0};
  std::atomic<int64_t> calls_{0}, bytes_{0};
  // Used by CheckBytes: its last time, and the bytes that belonged to no call by then.
  absl::Time checked_ = absl::Now();
  int64_t idle_bytes_ = 0;
  double excess_ = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_OPEN_CONNECTION_H_
