// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_CONTROL_SOCKET_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_CONTROL_SOCKET_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/poll/poll_loop.h"

namespace sluice::transport {

// A TCP socket beside a pair of connected queue pairs. It carries the data of the handshake, and
// requests for memory; the end of the socket is the end of the peer. A packet is its length (two
// bytes, little-endian) and the bytes.
//
// Owner:    a link, and the loop until Close.
// Threads:  Send any; other functions only the loop's.
class ControlSocket final : public PollLoop::Watcher,
                            public std::enable_shared_from_this<ControlSocket> {
 public:
  static constexpr size_t kMaxPacket = 16 << 10;
  static constexpr size_t kMaxUnsent = 1 << 20;  // a peer that does not read is ended

  // The owner outlives Close.
  class Owner {
   public:
    virtual absl::Status ReceivePacket(absl::string_view packet) = 0;
    // The peer closed the socket (OK), or an error. Close has not been called.
    virtual void SocketEnded(const absl::Status& why) = 0;

   protected:
    ~Owner() = default;
  };

  // The socket may still be connecting.
  ControlSocket(PollLoop* loop, Descriptor socket, Owner* owner)
      : loop_(loop), socket_(std::move(socket)), owner_(owner) {}

  // Watches the socket. Any thread, once, before Close.
  absl::Status Start();
  // REQUIRES: at most kMaxPacket bytes. A broken socket drops it, and the loop reports the end.
  void Send(absl::string_view packet);
  void Close();

 private:
  void Ready(uint32_t events) override;
  void WriteSome() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status ReadSome(bool* ended);

  PollLoop* const loop_;
  const Descriptor socket_;
  Owner* const owner_;
  uint64_t watched_ = 0;

  absl::Mutex mu_;
  std::string out_ ABSL_GUARDED_BY(mu_);
  int error_ ABSL_GUARDED_BY(mu_) = 0;      // of writing
  bool waits_ ABSL_GUARDED_BY(mu_) = true;  // for room, or for the connection

  // Used on the loop's thread.
  std::string in_;
  bool closed_ = false;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_CONTROL_SOCKET_H_
