#include "transport/grpc/grpc_channel.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/log.h"
#include "core/version.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/events.h"
#include "transport/grpc/frames.h"
#include "transport/grpc/out_queue.h"
#include "transport/grpc/stream_server.h"
#include "transport/grpc/tensor_wire.h"
#include "transport/push_window.h"

namespace sluice::transport {
namespace {

class GrpcChannel;

// One stream from its call to its end. At most one write, one read; all its events go to the
// channel.
struct Link {
  explicit Link(GrpcChannel* channel) : channel(channel) {}
  void Started(bool ok);
  void Written(bool ok);
  void Read(bool ok);
  void Finished(bool ok);

  GrpcChannel* const channel;  // waits for the link's end before it goes
  grpc::ClientContext context;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;
  grpc::ByteBuffer incoming;
  grpc::Status status;
  absl::Status cause;  // ours, when we gave up; only the reader writes it
  int pending = 0;     // events to come; guarded by the channel's mutex, as the rest
  bool writing = false, finished = false;
  EventOf<Link, &Link::Started> started_event{this};
  EventOf<Link, &Link::Written> written_event{this};
  EventOf<Link, &Link::Read> read_event{this};
  EventOf<Link, &Link::Finished> finished_event{this};
};

// from        when                          to          does
// idle        first Send                    connecting  opens the stream; tensors wait in the queue
// connecting  the stream is up              connecting  says hello
// connecting  the peer's hello is right     open        writes what waits
// connecting  the peer's hello is wrong     connecting  cancels the stream
// open        Send, pull, a write is done   open        writes what is ready, a message at a time
// any         the stream ended              broken      forgets everything, tells the sink once
// broken      Send, while the sink is told  broken      fails
// broken      Send, after that              connecting  opens a new stream
enum class State { kIdle, kConnecting, kOpen, kBroken };

class GrpcChannel final : public TensorChannel {
 public:
  GrpcChannel(const GrpcTransportOptions& options, const PeerAddress& peer,
              std::shared_ptr<grpc::Channel> channel, grpc::CompletionQueue* queue,
              TensorSink* sink)
      : options_(options),
        peer_(peer),
        channel_(std::move(channel)),
        stub_(channel_),
        queue_(queue),
        sink_(sink),
        window_(options.credit_bytes) {}
  ~GrpcChannel() override;

  absl::Status Send(const ParcelId& id, Parcel parcel) override;
  void Pull(const ParcelId& id) override;
  void Consumed(const StepId& step, int64_t bytes) override;
  void EndStep(const StepId& step) override;
  std::string ToString() const override {
    return absl::StrCat("grpc to ", peer_.task, " at ", peer_.address);
  }

  // The link's events.
  void Started(Link* link, bool ok);
  void Written(Link* link, bool ok);
  void Read(Link* link, bool ok);
  void Finished(Link* link);

 private:
  void Connect() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Pump() ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status Take(PieceReader reader);
  absl::Status TakeHello(const Hello& hello);
  absl::Status TakePull(const ParcelId& id);
  absl::Status TakeCredit(const StepId& step, int64_t bytes);
  absl::Status SendKept(const ParcelId& id, const Parcel& parcel, bool pulled);
  void Done(Link* link);  // one event of it less to come
  absl::Status Cause(const Link& link) const;

  const GrpcTransportOptions options_;
  const PeerAddress peer_;
  const std::shared_ptr<grpc::Channel> channel_;
  grpc::GenericStub stub_;
  grpc::CompletionQueue* const queue_;  // these outlive the channel
  TensorSink* const sink_;

  absl::Mutex mu_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kIdle;
  absl::Status broken_ ABSL_GUARDED_BY(mu_);
  bool telling_ ABSL_GUARDED_BY(mu_) = false;  // the sink is told that the stream broke
  bool closing_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<Link> link_ ABSL_GUARDED_BY(mu_);
  PushWindow window_ ABSL_GUARDED_BY(mu_);
  OutQueue out_ ABSL_GUARDED_BY(mu_);
};

void Link::Started(bool ok) { channel->Started(this, ok); }
void Link::Written(bool ok) { channel->Written(this, ok); }
void Link::Read(bool ok) { channel->Read(this, ok); }
void Link::Finished(bool) { channel->Finished(this); }

GrpcChannel::~GrpcChannel() {
  EventLoop::StepAside();
  absl::MutexLock lock(&mu_);
  closing_ = true;
  if (link_ != nullptr) link_->context.TryCancel();
  mu_.Await(absl::Condition(
      +[](GrpcChannel* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) {
        return self->link_ == nullptr && !self->telling_;
      },
      this));
}

absl::Status GrpcChannel::Send(const ParcelId& id, Parcel parcel) {
  SLUICE_ASSIGN(Outgoing out, Outgoing::Of(id, parcel));
  {
    absl::MutexLock lock(&mu_);
    if (closing_) return Unavailable("the channel to ", peer_.task, " is closed");
    if (telling_) return broken_;
    if (link_ == nullptr) Connect();
    switch (window_.Send(id, parcel)) {
      case PushWindow::Verdict::kPush:
        out_.Add(std::move(out), /*pulled=*/false);
        break;
      case PushWindow::Verdict::kAnnounce:
        WriteAnnounce(id, out.head, &out_.control());
        break;
      case PushWindow::Verdict::kDrop:
        break;
    }
  }
  Pump();
  return absl::OkStatus();
}

void GrpcChannel::Pull(const ParcelId& id) {
  if (auto path = sink_->returns().Find(peer_.task); path != nullptr) path->Pull(id);
}

void GrpcChannel::Consumed(const StepId& step, int64_t bytes) {
  if (auto path = sink_->returns().Find(peer_.task); path != nullptr) path->Consumed(step, bytes);
}

void GrpcChannel::EndStep(const StepId& step) {
  if (auto path = sink_->returns().Find(peer_.task); path != nullptr) path->EndStep(step);
  absl::MutexLock lock(&mu_);
  window_.EndStep(step);
}

void GrpcChannel::Connect() {
  // A peer that was restarted should not wait for a backoff made when it was down.
  if (state_ == State::kBroken) grpc::experimental::ChannelResetConnectionBackoff(channel_.get());
  state_ = State::kConnecting;
  link_ = std::make_unique<Link>(this);
  link_->call = stub_.PrepareCall(&link_->context, kTensorStreamMethod, queue_);
  link_->pending = 1;
  link_->call->StartCall(&link_->started_event);
}

void GrpcChannel::Started(Link* link, bool ok) {
  if (!ok) {
    link->call->Finish(&link->status, &link->finished_event);  // Finished comes instead of Started
    return;
  }
  {
    absl::MutexLock lock(&mu_);
    link->pending += 1;
    link->writing = true;
  }
  std::string text;
  WriteHello({kStreamProtocol, peer_.as.empty() ? options_.task : peer_.as, kVersion,
              options_.incarnation, peer_.task, static_cast<uint64_t>(options_.credit_bytes)},
             &text);
  const grpc::Slice slice(text);
  link->call->Write(grpc::ByteBuffer(&slice, 1), &link->written_event);
  link->call->Read(&link->incoming, &link->read_event);  // comes instead of Started
}

void GrpcChannel::Written(Link* link, bool ok) {
  {
    absl::MutexLock lock(&mu_);
    link->writing =
        !ok;  // after a failed write none is tried: the read fails too and ends the stream
  }
  if (ok) Pump();
  Done(link);
}

void GrpcChannel::Read(Link* link, bool ok) {
  if (!ok) {
    link->call->Finish(&link->status, &link->finished_event);  // comes instead of Read
    return;
  }
  if (link->cause.ok()) {
    const ReceivedBytes received(link->incoming);
    link->cause = Take(received.reader());
    if (!link->cause.ok()) link->context.TryCancel();
  }
  link->incoming.Clear();
  link->call->Read(&link->incoming, &link->read_event);
}

void GrpcChannel::Finished(Link* link) {
  {
    absl::MutexLock lock(&mu_);
    link->finished = true;
  }
  Done(link);
}

void GrpcChannel::Pump() {
  Link* link = nullptr;
  grpc::ByteBuffer message;
  {
    absl::MutexLock lock(&mu_);
    if (state_ != State::kOpen || link_ == nullptr || link_->writing || out_.empty()) return;
    link = link_.get();
    link->writing = true;
    ++link->pending;  // holds the link
    message = out_.Next();
  }
  link->call->Write(message, &link->written_event);
}

absl::Status GrpcChannel::Take(PieceReader reader) {
  Frame frame;
  while (reader.left() > 0) {
    SLUICE_RETURN_IF_ERROR(ReadFrame(reader, &frame));
    if (frame.kind == FrameKind::kHello) {
      SLUICE_RETURN_IF_ERROR(TakeHello(frame.hello));
    } else if (frame.kind == FrameKind::kPull) {
      SLUICE_RETURN_IF_ERROR(TakePull(frame.id));
    } else if (frame.kind == FrameKind::kCredit) {
      SLUICE_RETURN_IF_ERROR(TakeCredit(frame.id.step, static_cast<int64_t>(frame.bytes)));
    } else if (frame.kind == FrameKind::kEnd) {
      absl::MutexLock lock(&mu_);
      window_.PeerEndStep(frame.id.step);
      out_.DropStep(frame.id.step);
    } else {
      return InvalidArgument("frame kind ", static_cast<int>(frame.kind),
                             " does not travel this way");
    }
  }
  Pump();
  return absl::OkStatus();
}

absl::Status GrpcChannel::TakeHello(const Hello& hello) {
  if (hello.task != peer_.task)
    return FailedPrecondition("expected ", peer_.task, ", found ", hello.task);
  if (hello.protocol != kStreamProtocol || hello.version != kVersion) {
    return FailedPrecondition("it runs version ", hello.version, ", ", options_.task, " runs ",
                              kVersion);
  }
  absl::MutexLock lock(&mu_);
  if (state_ == State::kConnecting) state_ = State::kOpen;
  return absl::OkStatus();
}

absl::Status GrpcChannel::TakePull(const ParcelId& id) {
  std::optional<Parcel> parcel;
  {
    absl::MutexLock lock(&mu_);
    parcel = window_.Pull(id);
  }
  if (!parcel.has_value()) return absl::OkStatus();  // pulled before, or its step ended
  return SendKept(id, *parcel, /*pulled=*/true);
}

absl::Status GrpcChannel::TakeCredit(const StepId& step, int64_t bytes) {
  std::vector<std::pair<ParcelId, Parcel>> freed;
  {
    absl::MutexLock lock(&mu_);
    freed = window_.Consumed(step, bytes);
  }
  for (const auto& [id, parcel] : freed)
    SLUICE_RETURN_IF_ERROR(SendKept(id, parcel, /*pulled=*/false));
  return absl::OkStatus();
}

absl::Status GrpcChannel::SendKept(const ParcelId& id, const Parcel& parcel, bool pulled) {
  SLUICE_ASSIGN(Outgoing out, Outgoing::Of(id, parcel));
  out.head.announced = true;
  absl::MutexLock lock(&mu_);
  out_.Add(std::move(out), pulled);
  return absl::OkStatus();
}

absl::Status GrpcChannel::Cause(const Link& link) const {
  std::string why(link.cause.message());
  if (link.cause.ok()) why = link.status.error_message();
  // What a server says when it goes down.
  if (why.empty() || (link.cause.ok() && link.status.error_code() == grpc::CANCELLED))
    why = "it ended the tensor stream";
  return Unavailable("task ", peer_.task, " at ", peer_.address, ": ", why);
}

void GrpcChannel::Done(Link* link) {
  std::unique_ptr<Link> ended;
  PushWindow window(options_.credit_bytes);  // what is let go of dies outside the lock
  OutQueue out;
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    if (--link->pending > 0) return;
    ended = std::move(link_);
    std::swap(window, window_);
    std::swap(out, out_);
    status = broken_ = Cause(*ended);
    state_ = State::kBroken;
    telling_ = true;
    if (closing_) status = absl::OkStatus();
  }
  if (!status.ok()) {
    const bool in_order = ended->cause.ok() && ended->status.error_code() == grpc::CANCELLED;
    Log(in_order ? LogLevel::kDebug : LogLevel::kInfo, "tensor stream ended: ", status.message());
    sink_->Broken(peer_.task, status);
  }
  ended.reset();
  absl::MutexLock lock(&mu_);
  telling_ = false;
}

}  // namespace

std::unique_ptr<TensorChannel> CreateGrpcChannel(const GrpcTransportOptions& options,
                                                 const PeerAddress& peer,
                                                 std::shared_ptr<grpc::Channel> channel,
                                                 grpc::CompletionQueue* queue, TensorSink* sink) {
  return std::make_unique<GrpcChannel>(options, peer, std::move(channel), queue, sink);
}

}  // namespace sluice::transport
