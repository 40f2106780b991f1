// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_CONNECTION_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_CONNECTION_H_

#include <memory>
#include <optional>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/tcp/wire.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/frame_reader.h"
#include "transport/protocol/message.h"

namespace sluice::transport {

// One TCP connection of a stream. It writes messages from the memory of their bytes, one at a time,
// and reads content straight to its destination.
//
// from     when                         to       does
// idle     Write                        writing  asks the owner for a message, writes on this thread
// writing  the socket is full           waiting  asks the loop for a notification
// writing  limit of a sending thread    waiting  the same: the loop continues
// writing  the peer must write first    waiting  reads
// waiting  the socket has room, or      writing  on the loop's thread
//          the peer has written
// writing  the owner has nothing more   idle
// writing  the socket fails             failed   asks the loop to read the rest, and to close
// any      an error, the peer's end     closed   tells the peer if it can, and the owner, once, on
//                                                the loop's thread
//
// Owner:    a channel or a receiver, and the loop until it is closed.
// Threads:  Write and Close any; other functions only the loop's.
class Connection final : public PollLoop::Watcher, public std::enable_shared_from_this<Connection> {
 public:
  // The owner outlives the call of Closed.
  class Owner {
   public:
    // The next message; empty if there is none. Any thread.
    virtual Message NextMessage(Connection* connection) = 0;
    // The functions below run on the loop's thread.
    virtual absl::StatusOr<Content> Begin(Connection* connection, const StreamFrame& frame) = 0;
    virtual absl::Status End(Connection* connection, const StreamFrame& frame) = 0;
    // Written before the connection closes because of an error.
    virtual std::string LastFrame(Connection* connection, const absl::Status& why) = 0;
    // OK: the peer closed in order
    virtual void Closed(Connection* connection, const absl::Status& why) = 0;

   protected:
    ~Owner() = default;
  };

  // `wire` belongs to the socket.
  Connection(PollLoop* loop, Descriptor socket, std::unique_ptr<Wire> wire, Owner* owner);

  // Watches the socket, which may still be connecting. After an error, Closed is not called.
  absl::Status Start();
  // Writes the owner's data as far as possible without waiting. A thread that is not the loop's
  // stops at a limit.
  void Write();
  // Writes the owner's last frame before, if there is an error.
  void Close(absl::Status why = absl::OkStatus());
  // Reads first what has arrived: the peer may have told why.
  void CloseAfterReading(absl::Status why = absl::OkStatus());

  // On the loop's thread: the bytes read so far, and whether the last frame is incomplete.
  uint64_t bytes_read() const { return bytes_read_; }
  bool in_frame() const { return reader_.in_frame(); }

  // A number that the owner assigns.
  int role = 0;

 private:
  enum class State { kIdle, kWriting, kWaiting, kFailed, kClosed };
  // The reader's sink. It passes frames to the owner together with their connection.
  struct Sink final : FrameSink {
    explicit Sink(Connection* connection) : connection(connection) {}
    absl::StatusOr<Content> Begin(const StreamFrame& frame) override {
      return connection->owner_->Begin(connection, frame);
    }
    absl::Status End(const StreamFrame& frame) override {
      return connection->owner_->End(connection, frame);
    }
    Connection* const connection;
  };

  void Ready(uint32_t events) override;
  void WriteOn();
  void Fail(const absl::Status& why);
  bool TakeNext();
  absl::Span<const iovec> NextPieces();
  absl::StatusOr<Wire::Progress> WriteSome();
  void ReadOn();
  absl::Status ReadSome(bool* ended);
  bool GoesOnAfterReading();
  bool is_closed() {
    absl::MutexLock lock(&mu_);
    return state_ == State::kClosed;
  }
  void WriteLast(const absl::Status& why);
  void CloseHere(const absl::Status& why);

  PollLoop* const loop_;  // outlives its connections: their owners hold it
  const Descriptor socket_;
  const std::unique_ptr<Wire> wire_;
  Owner* const owner_;
  uint64_t watched_ = 0;  // set by Start

  absl::Mutex mu_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kIdle;
  bool awaits_peer_ ABSL_GUARDED_BY(mu_) = false;  // in kWaiting: for the peer, not for the socket
  bool more_ ABSL_GUARDED_BY(mu_) = false;         // Write was called during a write

  // Used by the thread in kWriting.
  Message message_;
  std::vector<iovec> pieces_;  // the part of message_ that is not written yet
  size_t first_piece_ = 0;
  size_t written_ = 0;  // of message_

  // Used on the loop's thread.
  Sink sink_{this};
  FrameReader reader_{&sink_};
  std::vector<char> buffer_;
  uint64_t bytes_read_ = 0;
  bool reading_ = false;
  std::optional<absl::Status> closes_;  // once what has arrived is read
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_CONNECTION_H_
