// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_TCP_CONNECTION_H_
#define SLUICE_TRANSPORT_BACKENDS_TCP_CONNECTION_H_

#include <memory>
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
// writing  the socket takes no more     waiting  asks the loop to be told when it does
// writing  enough for a borrowed thread waiting  the same: the loop goes on
// writing  the peer must speak first    waiting  reads
// waiting  the socket takes more, or    writing  on the loop's thread
//          the peer spoke
// writing  the owner has nothing more   idle
// any      an error, the peer's end     closed   tells the owner, once, on the loop's thread
//
// Owner:    a channel or a receiver, and the loop until it is closed.
// Threads:  Write and Close any; the rest the loop's.
class Connection final : public PollLoop::Watcher, public std::enable_shared_from_this<Connection> {
 public:
  // Outlives the connection's Closed.
  class Owner {
   public:
    // The next message, empty when there is none. Any thread.
    virtual Message NextMessage(Connection* connection) = 0;
    // The rest on the loop's thread.
    virtual absl::StatusOr<Content> Begin(Connection* connection, const StreamFrame& frame) = 0;
    virtual absl::Status End(Connection* connection, const StreamFrame& frame) = 0;
    virtual void Closed(Connection* connection, const absl::Status& why) = 0;  // OK: in order

   protected:
    ~Owner() = default;
  };

  // `wire` is the socket's.
  Connection(PollLoop* loop, Descriptor socket, std::unique_ptr<Wire> wire, Owner* owner);

  // Watches the socket, which may still be connecting. An error: Closed is not called.
  absl::Status Start();
  // Writes what the owner has, as far as it goes without waiting. A thread that is not the loop's
  // writes only so much.
  void Write();
  void Close(absl::Status why = absl::OkStatus());

  // A number of the owner's.
  int role = 0;

 private:
  enum class State { kIdle, kWriting, kWaiting, kClosed };
  // The reader's sink, so that frames reach the owner with their connection.
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
  bool TakeNext();
  absl::StatusOr<Wire::Progress> WriteSome();
  absl::Status ReadSome(bool* ended);
  bool GoesOnAfterReading();
  void CloseHere(const absl::Status& why);

  PollLoop* const loop_;  // outlives its connections: their owners hold it
  const Descriptor socket_;
  const std::unique_ptr<Wire> wire_;
  Owner* const owner_;
  uint64_t watched_ = 0;  // set by Start

  absl::Mutex mu_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kIdle;
  bool awaits_peer_ ABSL_GUARDED_BY(mu_) = false;  // kWaiting: not for the socket
  bool more_ ABSL_GUARDED_BY(mu_) = false;         // Write was called during a write

  // Used by the thread in kWriting.
  Message message_;
  std::vector<iovec> pieces_;  // of it, what is left to write
  size_t first_piece_ = 0;

  // The loop's.
  Sink sink_{this};
  FrameReader reader_{&sink_};
  std::vector<char> buffer_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_TCP_CONNECTION_H_
