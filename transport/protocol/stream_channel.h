// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_STREAM_CHANNEL_H_
#define SLUICE_TRANSPORT_PROTOCOL_STREAM_CHANNEL_H_

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "transport/protocol/run_calls.h"
#include "transport/protocol/stream_sender.h"
#include "transport/write_batch.h"

namespace sluice::transport {

// The sending end of tensor streams to one peer, without the transport of the bytes. A back end
// derives from it, connects, writes the sender's queue, and reports when a stream has ended.
//
// from    when                             to      does
// idle    first Send or Run                stream  Connect
// stream  Send, Run, a frame of the peer   stream  Flush
// stream  it ended                         ended   Lose, then Tell: reports to callers and sink
// ended   Send or Run                      ended   fails, or stream again where `reconnects`
//
// Threads:  any; each virtual function states its own.
class StreamChannel : public TensorChannel, private WriteBatch::Channel {
 public:
  absl::Status Send(const ParcelId& id, Parcel parcel) final;
  absl::Status Run(const RunGraph& request, const CallOptions& options,
                   Reply<RunGraphResult>& done) final;
  bool awaits_runs() const final { return !calls_.empty(); }
  void EndStep(const StepId& step) final;
  bool was_open() const final {
    absl::MutexLock lock(&mu_);
    return was_open_;
  }

 protected:
  StreamChannel(StreamIdentity self, const PeerAddress& peer, TensorSink* sink, bool reconnects,
                StreamSender::Launch launch = nullptr);

  using WriteBatch::Channel::batched;
  virtual bool connected() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) = 0;
  // Opens a stream, without waiting for the peer.
  virtual absl::Status Connect() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) = 0;
  // Writes as much pending data as possible. Any thread, without the mutex.
  virtual void Flush() = 0;

  // A step ended here.
  virtual void StepEnded() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {}

  // Handles a frame of the peer; Flush follows it.
  absl::Status Take(const StreamFrame& frame);

  // The rest of a stream that has ended: callbacks and references, handled without the mutex.
  struct Ending {
    StreamSender::Held held;
    absl::Status status;
    bool told = false;  // to the sink: false if this side closed
  };
  // `from_peer`: the peer has given the reason.
  Ending Lose(const absl::Status& why, bool from_peer = false) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // If the peer's answers were changed on their way, the frame that tells it; else empty.
  std::string FaultOf(const absl::Status& why) ABSL_LOCKS_EXCLUDED(mu_);
  // Whether there was a stream that ended.
  bool has_broken() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return !broken_.ok(); }
  void Tell(const Ending& ending);

  // For destructors: after Close no stream begins. AwaitEnd waits until the end of the stream is
  // reported.
  void Close();
  void AwaitEnd();

  const PeerAddress peer_;
  TensorSink* const sink_;
  mutable absl::Mutex mu_;
  StreamSender sender_ ABSL_GUARDED_BY(mu_);

 private:
  void WriteBatched() final { Flush(); }
  absl::Status Described(const absl::Status& why) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Status Ready() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void CancelRun(uint64_t call);
  void FlushSoon() {
    if (!WriteBatch::Defer(this)) Flush();
  }

  const bool reconnects_;
  bool was_open_ ABSL_GUARDED_BY(mu_) = false;
  bool closing_ ABSL_GUARDED_BY(mu_) = false, telling_ ABSL_GUARDED_BY(mu_) = false;
  bool faulted_ ABSL_GUARDED_BY(mu_) = false;  // the peer has ended the stream by a fault
  absl::Status broken_ ABSL_GUARDED_BY(mu_);
  RunCalls calls_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_STREAM_CHANNEL_H_
