// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_STREAM_SENDER_H_
#define SLUICE_TRANSPORT_PROTOCOL_STREAM_SENDER_H_

#include <functional>
#include <string>
#include <utility>

#include "transport/connector.h"
#include "transport/protocol/frame_reader.h"
#include "transport/protocol/out_queue.h"
#include "transport/protocol/push_window.h"

namespace sluice::transport {

// The identity of a task on its streams.
struct StreamIdentity {
  std::string task;
  uint64_t incarnation = 0;
  int64_t credit_bytes = 64 << 20;  // per step and peer
  bool checksums = true;            // of the contents that it sends beyond its host
};

// The sending end of a tensor stream, without the transport of the bytes. It decides which tensors
// may leave and in which order, and handles the peer's answers.
//
// from    when                        to      does
// greets  the peer's hello is right   open    pending tensors may leave
// greets  the peer's hello is wrong   greets  an error: the stream is closed
// open    Send, a frame of the peer   open    queues the tensors that may leave
// any     Forget                      greets  for the next stream
//
// Threads:  one at a time; the channel's mutex.
class StreamSender {
 public:
  // Handles a tensor that may leave. The default queues it.
  using Launch = std::function<void(Outgoing&& out, bool pulled)>;

  StreamSender(StreamIdentity self, PeerAddress peer, Launch launch = nullptr)
      : self_(std::move(self)),
        peer_(std::move(peer)),
        launch_(launch != nullptr
                    ? std::move(launch)
                    : [this](Outgoing&& out, bool pulled) { queue_.Add(std::move(out), pulled); }),
        window_(self_.credit_bytes),
        queue_(self_.checksums) {}
  StreamSender(const StreamSender&) = delete;  // `launch_` refers to it
  StreamSender& operator=(const StreamSender&) = delete;

  // The first frame of a stream. `token`: from the peer's connection offer, if there is one.
  std::string Greeting(const std::string& token = "", uint64_t stream = 0) const;
  // `out` is Outgoing::Of(id, parcel), made without the mutex.
  void Send(Outgoing&& out, Parcel&& parcel);
  void EndStep(const StepId& step) { window_.EndStep(step); }
  // Handles a frame of the peer. An error ends the stream.
  absl::Status Take(const StreamFrame& frame);

  bool open() const { return open_; }
  OutQueue& queue() { return queue_; }
  const std::string& task() const { return self_.task; }
  const PeerAddress& peer() const { return peer_; }
  // "task T at A: why", for a stream that ended. The code is DATA_LOSS or UNAVAILABLE.
  absl::Status Lost(const absl::Status& why) const;
  // The same for a stream that could not be opened, with the error's own code.
  absl::Status CannotOpen(const absl::Status& why) const;

  // The stream ended. The caller gets its tensors, to release them without the mutex.
  struct Held {
    PushWindow window;
    OutQueue queue;
  };
  Held Forget();

 private:
  absl::Status TakeHello(const Hello& hello);
  absl::Status SendKept(const ParcelId& id, const Parcel& parcel, bool pulled);

  const StreamIdentity self_;
  const PeerAddress peer_;
  const Launch launch_;
  bool open_ = false;
  PushWindow window_;
  OutQueue queue_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_STREAM_SENDER_H_
