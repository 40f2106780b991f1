// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/grpc/channel.h"

#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "transport/backends/grpc/stream_pings.h"
#include "transport/backends/grpc/stream_server.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/events.h"
#include "transport/grpc/tensor_wire.h"
#include "transport/protocol/stream_channel.h"

namespace sluice::transport {
namespace {

class GrpcChannel;

// One stream from its call to its end. It has at most one write and one read in progress. All its
// events go to the channel.
struct Link : FrameSink {
  explicit Link(GrpcChannel* channel) : channel(channel) {}
  void Started(bool ok);
  void Written(bool ok);
  void Read(bool ok);
  void Finished(bool ok);
  void Looked(bool ok);
  // Messages of the peer have no content.
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override;
  absl::Status End(const StreamFrame&) override {
    return InvalidArgument("content does not travel this way");
  }

  GrpcChannel* const channel;  // waits for the link's end before it is destroyed
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;
  grpc::ByteBuffer incoming;
  grpc::Status status;
  FrameReader reader{this};
  absl::Status cause;  // our reason, if we gave up; only the reader writes it
  int pending = 0;     // pending events; guarded by the channel's mutex, like the rest
  bool writing = false, finished = false, watching = false;
  StreamPings pings;
  absl::Status silence;  // our reason, if the peer was silent
  grpc::Alarm alarm;
  EventOf<Link, &Link::Started> started_event{this};
  EventOf<Link, &Link::Written> written_event{this};
  EventOf<Link, &Link::Read> read_event{this};
  EventOf<Link, &Link::Finished> finished_event{this};
  EventOf<Link, &Link::Looked> looked_event{this};
};

// from        when                          to          does
// idle        first Send                    connecting  opens the stream; tensors wait in the queue
// connecting  the stream is up              connecting  sends the hello
// connecting  the peer's hello is right     open        writes pending data
// connecting  the peer's hello is wrong     connecting  cancels the stream
// open        Send, pull, a write is done   open        writes ready data, a message at a time
// open        a run waits, nothing comes    open        pings the peer; at last cancels the stream
// any         the stream ended              broken      drops everything, tells the sink once
// broken      Send, while the sink is told  broken      fails
// broken      Send, after that              connecting  opens a new stream
class GrpcChannel final : public StreamChannel {
 public:
  GrpcChannel(StreamIdentity self, const PeerAddress& peer, GrpcTarget target,
              grpc::CompletionQueue* queue, absl::Duration silence, TensorSink* sink)
      : StreamChannel(std::move(self), peer, sink, /*reconnects=*/true),
        target_(std::move(target)),
        channel_(target_.connect()),
        queue_(queue),
        silence_(silence) {}
  ~GrpcChannel() override;

  void GiveUp(const absl::Status&) override {
    absl::MutexLock lock(&mu_);
    if (link_ != nullptr) link_->context.TryCancel();
  }
  std::string ToString() const override {
    return absl::StrCat("grpc to ", peer_.task, " at ", peer_.address);
  }

  // The link's events.
  void Started(Link* link, bool ok);
  void Written(Link* link, bool ok);
  void Read(Link* link, bool ok);
  void Finished(Link* link);
  void Looked(Link* link, bool ok);
  absl::Status TakeFrame(const StreamFrame& frame);

 private:
  bool connected() const override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return link_ != nullptr; }
  absl::Status Connect() override ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Flush() override ABSL_LOCKS_EXCLUDED(mu_);
  bool Waits() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return awaits_runs() || !sender_.open(); }
  void Watch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Done(Link* link);  // one of its events has arrived
  static absl::Status WhyLost(const Link& link);

  const GrpcTarget target_;
  std::shared_ptr<grpc::Channel> channel_ ABSL_GUARDED_BY(mu_);
  grpc::CompletionQueue* const queue_;  // these outlive the channel
  const absl::Duration silence_;
  std::unique_ptr<Link> link_ ABSL_GUARDED_BY(mu_);
};

void Link::Started(bool ok) { channel->Started(this, ok); }
void Link::Written(bool ok) { channel->Written(this, ok); }
void Link::Read(bool ok) { channel->Read(this, ok); }
void Link::Finished(bool) { channel->Finished(this); }
void Link::Looked(bool ok) { channel->Looked(this, ok); }
absl::StatusOr<Content> Link::Begin(const StreamFrame& frame) {
  SLUICE_RETURN_IF_ERROR(channel->TakeFrame(frame));
  return Content{};
}

GrpcChannel::~GrpcChannel() {
  EventLoop::StepAside();
  Close();
  GiveUp(absl::OkStatus());
  AwaitEnd();
}

absl::Status GrpcChannel::Connect() {
  if (has_broken()) channel_ = target_.connect();
  link_ = std::make_unique<Link>(this);
  target_.Sign(link_->context);
  link_->call =
      grpc::GenericStub(channel_).PrepareCall(&link_->context, kTensorStreamMethod, queue_);
  link_->pending = 1;
  link_->call->StartCall(&link_->started_event);
  return absl::OkStatus();
}

void GrpcChannel::Started(Link* link, bool ok) {
  if (!ok) {
    // Finished is called instead of Started
    link->call->Finish(&link->status, &link->finished_event);
    return;
  }
  std::string text;
  {
    absl::MutexLock lock(&mu_);
    link->pending += 1;
    link->writing = true;
    text = sender_.Greeting();
    link->pings.Left(text.size());
  }
  const grpc::Slice slice(text);
  link->call->Write(grpc::ByteBuffer(&slice, 1), &link->written_event);
  link->call->Read(&link->incoming, &link->read_event);  // is called instead of Started
}

void GrpcChannel::Written(Link* link, bool ok) {
  {
    absl::MutexLock lock(&mu_);
    // After a failed write there is no other: the read fails too and ends the stream.
    link->writing = !ok;
  }
  if (ok && !batched()) Flush();
  Done(link);
}

void GrpcChannel::Read(Link* link, bool ok) {
  if (!ok) {
    link->call->Finish(&link->status, &link->finished_event);  // is called instead of Read
    return;
  }
  if (link->cause.ok()) {
    link->cause = ReadFrames(link->incoming, link->reader);
    if (link->cause.ok()) {
      {
        absl::MutexLock lock(&mu_);
        link->pings.Arrived();
      }
      Flush();
    } else {
      link->context.TryCancel();
    }
  }
  link->incoming.Clear();
  link->call->Read(&link->incoming, &link->read_event);
}

void GrpcChannel::Finished(Link* link) {
  {
    absl::MutexLock lock(&mu_);
    link->finished = true;
    if (link->watching) link->alarm.Cancel();
  }
  Done(link);
}

absl::Status GrpcChannel::TakeFrame(const StreamFrame& frame) {
  if (frame.kind != FrameKind::kPing && frame.kind != FrameKind::kPong) return Take(frame);
  absl::MutexLock lock(&mu_);
  return link_->pings.Take(frame);
}

void GrpcChannel::Watch() {
  link_->watching = true;
  ++link_->pending;
  link_->alarm.Set(queue_, absl::ToChronoTime(absl::Now() + silence_ / StreamPings::kLooks),
                   &link_->looked_event);
}

void GrpcChannel::Looked(Link* link, bool ok) {
  {
    absl::MutexLock lock(&mu_);
    link->watching = false;
    if (ok && !link->finished) {
      if (link->pings.Look(Waits())) {
        link->silence = Unavailable("it answered nothing on its tensor stream for ",
                                    absl::FormatDuration(silence_));
        link->context.TryCancel();
      } else if (Waits()) {
        Watch();
      }
    }
  }
  Flush();
  Done(link);
}

void GrpcChannel::Flush() {
  Link* link = nullptr;
  Message message;
  {
    absl::MutexLock lock(&mu_);
    if (link_ == nullptr) return;
    if (!link_->watching && !link_->finished && Waits()) Watch();
    if (link_->writing || !sender_.open()) return;
    link = link_.get();
    message.text() = link->pings.TakeMessage();
    if (message.text().empty()) {
      if (sender_.queue().empty()) return;
      message = sender_.queue().Next();
      link->pings.Left(message.size());
    }
    link->writing = true;
    ++link->pending;  // this event keeps the link alive
  }
  message.Sum(message.size());
  link->call->Write(ToByteBuffer(message), &link->written_event);
}

absl::Status GrpcChannel::WhyLost(const Link& link) {
  if (!link.cause.ok()) return link.cause;
  if (!link.silence.ok()) return link.silence;
  // The error for a server that shuts down.
  if (link.status.error_code() == grpc::CANCELLED) return absl::OkStatus();
  return {static_cast<absl::StatusCode>(link.status.error_code()), link.status.error_message()};
}

void GrpcChannel::Done(Link* link) {
  std::unique_ptr<Link> ended;
  std::optional<Ending> ending;
  {
    absl::MutexLock lock(&mu_);
    if (--link->pending > 0) return;
    ended = std::move(link_);
    ending = Lose(WhyLost(*ended), /*from_peer=*/ended->cause.ok());
  }
  ended.reset();  // it refers to this channel, which may be destroyed once the end is reported
  Tell(*ending);
}

}  // namespace

std::unique_ptr<TensorChannel> CreateGrpcChannel(StreamIdentity self, const PeerAddress& peer,
                                                 GrpcTarget target, grpc::CompletionQueue* queue,
                                                 absl::Duration silence, TensorSink* sink) {
  return std::make_unique<GrpcChannel>(std::move(self), peer, std::move(target), queue, silence,
                                       sink);
}

}  // namespace sluice::transport
