// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_LINK_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_LINK_H_

#include <atomic>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/shm/ring.h"
#include "transport/backends/shm/shared_memory.h"
#include "transport/backends/shm/unix_socket.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/frame_reader.h"
#include "transport/protocol/message.h"

namespace sluice::transport {

// The memory of one stream's two rings: the first carries frames to the receiver, the second frames
// back.
struct RingPair {
  static constexpr size_t kForward = 256 << 10, kBack = 64 << 10;
  static constexpr size_t kBytes = 4096 + kForward + kBack;  // ring heads, then data

  static RingHead* Head(const SharedMemory& memory, int ring) {
    return reinterpret_cast<RingHead*>(memory.data()) + ring;
  }
  static char* Data(const SharedMemory& memory, int ring) {
    return memory.data() + 4096 + (ring == 0 ? 0 : kForward);
  }
  static constexpr size_t Size(int ring) { return ring == 0 ? kForward : kBack; }
};

// One end of a stream through shared memory: a ring in each direction, and a socket. The socket
// passes descriptors and reports when the other process has ended, for any reason.
//
// Owner:    a channel or a stream, and the loop until it is closed. The owner's mutex guards the
//           writing end.
// Threads:  Write, Send and Close any; other functions only the loop's.
class ShmLink final : public PollLoop::Watcher,
                      public PollLoop::Spinner,
                      public std::enable_shared_from_this<ShmLink> {
 public:
  // The owner outlives the call of Closed.
  class Owner {
   public:
    // The next message, in the memory of `cleared`; empty if there is none. Any thread, with the
    // owner's mutex held.
    virtual Message NextMessage(Message cleared) = 0;
    // The functions below run on the loop's thread.
    virtual absl::StatusOr<Content> Begin(const StreamFrame& frame) = 0;
    virtual absl::Status End(const StreamFrame& frame) = 0;
    virtual absl::Status Receive(Packet packet) = 0;
    virtual void Closed(const absl::Status& why) = 0;  // OK: the peer closed in order

   protected:
    ~Owner() = default;
  };

  ShmLink(PollLoop* loop, Descriptor socket, Owner* owner, absl::Mutex* mu)
      : loop_(loop), socket_(std::move(socket)), owner_(owner), mu_(mu) {}

  // Watches the socket. After an error, Closed is not called.
  absl::Status Start();
  // Starts the use of the rings. `out` is the ring that this end writes. Call it before the first
  // Write.
  // REQUIRES: the owner's mutex is held.
  void UseRings(std::shared_ptr<SharedMemory> memory, int out);
  // The descriptor that wakes the loop of the other end.
  void set_wake(Descriptor wake);
  // Writes the owner's data as far as there is room, and wakes the other end if it sleeps.
  // REQUIRES: the owner's mutex is held.
  void Write();
  absl::Status Send(absl::string_view packet, const std::vector<int>& descriptors) {
    return SendPacket(socket_.get(), packet, descriptors);
  }
  // Receives the packets that have arrived. Call it for a frame that may refer to one.
  absl::Status ReceivePackets();
  void Close(absl::Status why = absl::OkStatus());

  bool Look() override;
  bool Rest() override;

 private:
  struct Sink final : FrameSink {
    explicit Sink(Owner* owner) : owner(owner) {}
    absl::StatusOr<Content> Begin(const StreamFrame& frame) override { return owner->Begin(frame); }
    absl::Status End(const StreamFrame& frame) override { return owner->End(frame); }
    Owner* const owner;
  };

  void Ready(uint32_t events) override;
  bool WriteMessages() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status ReadRing(bool* worked);
  void CloseHere(const absl::Status& why);
  void WakePeer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  PollLoop* const loop_;  // outlives its links: their owners hold it
  const Descriptor socket_;
  Owner* const owner_;
  uint64_t watched_ = 0;
  std::shared_ptr<SharedMemory> memory_;  // set by UseRings, before the first write or read

  absl::Mutex* const mu_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  Descriptor wake_ ABSL_GUARDED_BY(mu_);
  RingWriter out_ ABSL_GUARDED_BY(mu_);
  Message message_ ABSL_GUARDED_BY(mu_);
  size_t written_ ABSL_GUARDED_BY(mu_) = 0;  // bytes of message_ that are written
  std::atomic<bool> wants_room_{false};      // for the rest of message_

  // Used on the loop's thread.
  RingReader in_;
  Sink sink_{owner_};
  FrameReader reader_{&sink_};
  bool over_ = false;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_LINK_H_
