// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_LINK_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_LINK_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/rdma/control_socket.h"
#include "transport/backends/rdma/device.h"
#include "transport/backends/rdma/queue_pair.h"
#include "transport/protocol/frame_reader.h"
#include "transport/protocol/message.h"

namespace sluice::transport {

// The packets of the control socket begin with a kind. The handshake is hello, endpoint, ready.
enum class ControlKind : char {
  kHello = 'h',     // to the receiver: the sender's endpoint, then the hello frame
  kEndpoint = 'e',  // to the sender: the receiver's endpoint
  kReady = 'r',     // to the receiver: the sender's queue pair receives
  kGrow = 'g',      // to the receiver: the bytes of a segment that the sender asks for
  kLent = 's',      // to the sender: number, address, bytes and key of a segment
  kRefused = 'n',   // to the sender: no segment, and why
  kError = 'x',     // either way, the last: why the stream ends
};

// One end of a stream: a queue pair, and a control socket beside it. Messages travel as SENDs, each
// with a credit for the buffers that its sender has emptied; contents by one-sided WRITEs and
// READs.
//
// A message costs its sender one credit. The last credit is kept for a message that returns credits
// itself, so two ends that wait for credit always move each other on.
//
// from        when                          to         does
// opened      Connect                       connected  the queue pair can receive
// connected   Enable                        enabled    writes the owner's data
// any         Close, an error, the          closed     disables the queue pair, tells the owner
//             peer's end
// closed      its last request has ended    gone       destroys the queue pair
//
// A closed link belongs to the loop's thread: its owner and the mutex may be gone.
//
// Owner:    a channel or a stream, and the device until it is gone. The owner's mutex guards the
//           writing end.
// Threads:  SendPacket and Close any; Write, Post, Enable any, with the mutex; others the loop's.
class RdmaLink final : public RdmaDevice::User,
                       private ControlSocket::Owner,
                       public std::enable_shared_from_this<RdmaLink> {
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
    virtual absl::Status Receive(ControlKind kind, absl::string_view rest) = 0;
    virtual void Closed(const absl::Status& why) = 0;  // OK: the peer closed in order
    // Whether something is to come from the peer.
    virtual bool Awaits() = 0;

   protected:
    ~Owner() = default;
  };

  // A content that is written to the peer's memory, or read from it.
  struct OneSided {
    bool read = false;
    char* local = nullptr;
    uint32_t lkey = 0, rkey = 0;
    uint64_t remote = 0, bytes = 0;
    // All of it is posted: what is written from now on arrives behind it. With the mutex held.
    absl::AnyInvocable<void()> posted = nullptr;
    // It has ended well. On the loop's thread. It holds the memory, and is destroyed uncalled if
    // the link breaks.
    absl::AnyInvocable<absl::Status()> done = nullptr;
  };

  RdmaLink(std::shared_ptr<RdmaDevice> device, PollLoop* loop, Descriptor socket, Owner* owner,
           absl::Mutex* mu)
      : device_(std::move(device)),
        loop_(loop),
        control_(std::make_shared<ControlSocket>(loop, std::move(socket),
                                                 static_cast<ControlSocket::Owner*>(this))),
        owner_(owner),
        mu_(mu) {}

  // Watches the control socket. After an error there is no queue pair, and Closed is not called.
  absl::Status Start();
  // Makes the queue pair, once. REQUIRES: the owner's mutex is held, as for the next.
  absl::StatusOr<QueuePairAddress> Open();
  absl::Status Connect(const QueuePairAddress& peer);
  // The peer can receive.
  void Enable();
  // Writes the owner's data as far as there is credit.
  void Write();
  void Post(OneSided content);
  void SendPacket(ControlKind kind, absl::string_view rest = {});
  void Close(absl::Status why = absl::OkStatus());

 private:
  struct Sink final : FrameSink {
    explicit Sink(Owner* owner) : owner(owner) {}
    absl::StatusOr<Content> Begin(const StreamFrame& frame) override { return owner->Begin(frame); }
    absl::Status End(const StreamFrame& frame) override { return owner->End(frame); }
    Owner* const owner;
  };
  struct Request {
    OneSided content;
    uint64_t posted = 0;  // bytes
    int in_flight = 0;    // pieces
    bool ended() const { return in_flight == 0 && posted == content.bytes; }
  };

  // RdmaDevice::User
  absl::Status Received(absl::string_view message) override;
  void Reposted() override;
  void Completed(uint64_t id, const absl::Status& status) override;
  void Broken(const absl::Status& why) override { CloseHere(why); }
  void Probe() override;
  // ControlSocket::Owner
  absl::Status ReceivePacket(absl::string_view packet) override;
  void SocketEnded(const absl::Status& why) override;

  bool HasData() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool SendBuffer() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  size_t CopyData(char* to, size_t room) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void PostPieces() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool PostRequest(ibv_send_wr& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Fail(absl::Status why) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void CloseHere(const absl::Status& why);
  Request EndRequest(uint64_t id) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void CompletedLate(uint64_t id);
  void DisableQueuePair(bool idle);
  void DestroyQueuePair();

  const std::shared_ptr<RdmaDevice> device_;
  PollLoop* const loop_;  // outlives its links: their owners hold it
  const std::shared_ptr<ControlSocket> control_;
  Owner* const owner_;

  absl::Mutex* const mu_;
  bool enabled_ ABSL_GUARDED_BY(mu_) = false;
  bool failed_ ABSL_GUARDED_BY(mu_) = false;  // or closed: nothing is posted any more
  ibv_qp* qp_ ABSL_GUARDED_BY(mu_) = nullptr;
  QueuePairAddress mine_ ABSL_GUARDED_BY(mu_);
  uint32_t max_inline_ ABSL_GUARDED_BY(mu_) = 0;
  uint64_t max_piece_ ABSL_GUARDED_BY(mu_) = 0;  // bytes of one request
  size_t max_message_ ABSL_GUARDED_BY(mu_) = 0;  // bytes of one SEND
  uint32_t credits_ ABSL_GUARDED_BY(mu_) = 0;    // messages that the peer has room for
  uint32_t most_credits_ ABSL_GUARDED_BY(mu_) = 0;
  uint32_t unreported_ ABSL_GUARDED_BY(mu_) = 0;  // emptied buffers that the peer does not know of
  uint32_t in_flight_ ABSL_GUARDED_BY(mu_) = 0;   // requests
  Message message_ ABSL_GUARDED_BY(mu_);
  size_t written_ ABSL_GUARDED_BY(mu_) = 0;  // bytes of message_ that are written
  uint64_t last_request_ ABSL_GUARDED_BY(mu_) = 0;
  std::deque<uint64_t> to_post_ ABSL_GUARDED_BY(mu_);  // requests with pieces that are not posted
  absl::flat_hash_map<uint64_t, Request> requests_ ABSL_GUARDED_BY(mu_);

  // Used on the loop's thread.
  Sink sink_{owner_};
  FrameReader reader_{&sink_};
  bool over_ = false;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_LINK_H_
