#include "transport/grpc/stream_server.h"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "core/log.h"
#include "core/version.h"
#include "transport/grpc/arrivals.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/frames.h"
#include "transport/grpc/tensor_wire.h"

namespace sluice::transport {
namespace {

// One stream that a peer opened: its tensors go to the sink, and it is the peer's return path.
//
// from       when                          to         does
// accepted   the peer's hello is right     open       answers it, becomes the peer's return path
// accepted   the hello is wrong            ending     gives the reason as the call's status
// open       the peer opens another        open       is cancelled; the sink hears that it broke
// open       the peer ends it, or is lost  ending     tells the sink
// open       it says what makes no sense   ending     tells the sink, and the peer by the status
// ending     no write is in progress       finishing  finishes the call
// finishing  finished, and the call over   (gone)
//
// Owner:    the server's State until it is gone; the sink's return paths meanwhile.
class Inbound final : public ReturnPath, public std::enable_shared_from_this<Inbound> {
 public:
  Inbound(const std::string& task, uint64_t incarnation, TensorSink* sink,
          std::unique_ptr<ServerStream> stream, std::function<void(Inbound*)> gone)
      : task_(task),
        incarnation_(incarnation),
        sink_(sink),
        gone_(std::move(gone)),
        stream_(std::move(stream)) {}

  void Start();
  void Cancel(bool stopping);

  // ReturnPath
  void Pull(const ParcelId& id) override;
  void Consumed(const StepId& step, int64_t bytes) override;
  void EndStep(const StepId& step) override;

 private:
  struct StepReturn {
    int64_t consumed = 0, announced = 0;
  };  // bytes not reported yet; tensors the peer keeps
  enum class End { kNo, kWanted, kStarted, kDone };

  void Read(bool ok);
  void Written(bool ok);
  void Finished(bool ok);
  void Over();
  absl::Status Take(const grpc::ByteBuffer& message);
  absl::Status TakeHello(const Hello& hello);
  void CountKept(const Frame& frame);
  void Leave(const absl::Status& status);  // the reader's last act
  void Reply(absl::FunctionRef<void(std::string*)> write);
  void Pump(std::optional<absl::Status> end = std::nullopt);
  void ReleaseIfGone();

  const std::string& task_;  // the server's
  const uint64_t incarnation_;
  TensorSink* const sink_;
  const std::function<void(Inbound*)> gone_;

  // The reader's, one event at a time.
  std::optional<Arrivals> arrivals_;  // once the peer said hello
  std::string peer_, address_;
  StepId told_;  // the last step of which the peer was told that it ended
  grpc::ByteBuffer incoming_;
  int64_t report_at_ = 1;  // consumed bytes worth a message

  absl::Mutex mu_;
  std::unique_ptr<ServerStream> stream_
      ABSL_GUARDED_BY(mu_);  // lives while operations are outstanding
  std::string control_ ABSL_GUARDED_BY(mu_);
  bool writing_ ABSL_GUARDED_BY(mu_) = false, over_ ABSL_GUARDED_BY(mu_) = false,
                stopping_ ABSL_GUARDED_BY(mu_) = false;
  End end_ ABSL_GUARDED_BY(mu_) = End::kNo;
  absl::Status status_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<StepId, StepReturn> steps_ ABSL_GUARDED_BY(mu_);

  EventOf<Inbound, &Inbound::Read> read_event_{this};
  EventOf<Inbound, &Inbound::Written> written_event_{this};
  EventOf<Inbound, &Inbound::Finished> finished_event_{this};
};

void Inbound::Start() {
  ServerStream* stream = nullptr;
  {
    absl::MutexLock lock(&mu_);
    stream = stream_.get();
  }
  address_ = stream->context.peer();
  stream->on_over = [this] { Over(); };
  stream->stream.Read(&incoming_, &read_event_);
}

void Inbound::Cancel(bool stopping) {
  absl::MutexLock lock(&mu_);
  stopping_ = stopping_ || stopping;
  if (stream_ != nullptr) stream_->context.TryCancel();
}

void Inbound::Read(bool ok) {
  const absl::Status status = ok ? Take(incoming_) : absl::OkStatus();
  if (!ok || !status.ok()) return Leave(status);
  incoming_.Clear();
  grpc::GenericServerAsyncReaderWriter* stream = nullptr;
  {
    absl::MutexLock lock(&mu_);
    stream = &stream_->stream;
  }
  stream->Read(&incoming_, &read_event_);
}

absl::Status Inbound::Take(const grpc::ByteBuffer& message) {
  EventLoop::StepAsideFor(message.Length());
  const ReceivedBytes received(message);
  PieceReader reader = received.reader();
  Frame frame;
  while (reader.left() > 0) {
    SLUICE_RETURN_IF_ERROR(ReadFrame(reader, &frame));
    if (!arrivals_.has_value()) {
      if (frame.kind != FrameKind::kHello)
        return InvalidArgument("a tensor stream begins with hello");
      SLUICE_RETURN_IF_ERROR(TakeHello(frame.hello));
      continue;
    }
    CountKept(frame);
    bool step_ended = false;
    SLUICE_RETURN_IF_ERROR(arrivals_->Take(frame, reader, &step_ended));
    if (!step_ended) continue;
    if (frame.kind == FrameKind::kAnnounce) {
      absl::MutexLock lock(&mu_);
      steps_.erase(frame.id.step);
    } else if (frame.id.step == told_) {
      continue;
    }
    told_ = frame.id.step;
    Reply([&](std::string* out) { WriteEnd(frame.id.step, out); });
  }
  return absl::OkStatus();
}

void Inbound::CountKept(const Frame& frame) {
  const bool sent = frame.kind == FrameKind::kTensor || frame.kind == FrameKind::kTransfer;
  if (frame.kind != FrameKind::kAnnounce && !(sent && frame.head.announced)) return;
  absl::MutexLock lock(&mu_);
  if (!sent) {
    ++steps_[frame.id.step].announced;
  } else if (auto it = steps_.find(frame.id.step); it != steps_.end()) {
    --it->second.announced;
  }
}

absl::Status Inbound::TakeHello(const Hello& hello) {
  if (hello.protocol != kStreamProtocol || hello.version != kVersion) {
    return FailedPrecondition(task_, " runs version ", kVersion, ", ", hello.task, " runs ",
                              hello.version);
  }
  if (hello.to != task_ && !sink_->KnownAs(hello.to))
    return FailedPrecondition("expected ", hello.to, ", found ", task_);
  peer_ = hello.task;
  arrivals_.emplace(sink_, peer_);
  report_at_ = std::max<int64_t>(
      1, static_cast<int64_t>(std::min<uint64_t>(hello.credit, int64_t{1} << 40)) / 8);
  if (auto before = sink_->returns().Exchange(peer_, shared_from_this()); before != nullptr) {
    if (auto* old = dynamic_cast<Inbound*>(before.get()); old != nullptr)
      old->Cancel(/*stopping=*/false);
    sink_->Broken(peer_, Unavailable("task ", peer_, " at ", address_,
                                     ": it lost its tensor stream and opened a new one"));
  }
  Reply([&](std::string* out) {
    WriteHello({kStreamProtocol, hello.to, kVersion, incarnation_, peer_, 0}, out);
  });
  return absl::OkStatus();
}

void Inbound::Leave(const absl::Status& status) {
  const bool current = arrivals_.has_value() && sink_->returns().Remove(peer_, this);
  bool stopping = false;
  {
    absl::MutexLock lock(&mu_);
    stopping = stopping_;
  }
  if (current && !stopping) {
    const absl::string_view why = status.ok() ? "its tensor stream ended" : status.message();
    // A peer that stops ends its stream in order.
    Log(status.ok() ? LogLevel::kDebug : LogLevel::kInfo, "tensor stream from ", peer_,
        " ended: ", why);
    sink_->Broken(peer_, Unavailable("task ", peer_, " at ", address_, ": ", why));
  }
  arrivals_.reset();
  Pump(status);
}

void Inbound::Pull(const ParcelId& id) {
  Reply([&](std::string* out) { WritePull(id, out); });
}

// Reports in portions of an eighth of the credit: most steps end before the first.
void Inbound::Consumed(const StepId& step, int64_t bytes) {
  Reply([&](std::string* out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    StepReturn& back = steps_[step];
    back.consumed += bytes;
    if (back.consumed < report_at_) return;
    WriteCredit(step, static_cast<uint64_t>(std::exchange(back.consumed, 0)), out);
  });
}

// Told only to a peer that still keeps tensors for us.
void Inbound::EndStep(const StepId& step) {
  Reply([&](std::string* out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    auto it = steps_.find(step);
    if (it == steps_.end()) return;
    if (it->second.announced > 0) WriteEnd(step, out);
    steps_.erase(it);
  });
}

void Inbound::Reply(absl::FunctionRef<void(std::string*)> write) {
  {
    absl::MutexLock lock(&mu_);
    if (end_ != End::kNo) return;
    write(&control_);
    if (control_.empty()) return;
  }
  Pump();
}

// Writes what waits, or ends the call once no write is in progress.
void Inbound::Pump(std::optional<absl::Status> end) {
  ServerStream* stream = nullptr;
  grpc::ByteBuffer message;
  bool finish = false;
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    if (end.has_value()) {
      end_ = End::kWanted;
      status_ = *std::move(end);
    }
    if (writing_) return;
    if (end_ == End::kWanted) {
      end_ = End::kStarted;
      finish = true;
      status = status_;
    } else if (end_ == End::kNo && !control_.empty()) {
      writing_ = true;
      const grpc::Slice slice(control_);
      message = grpc::ByteBuffer(&slice, 1);
      control_.clear();
    } else {
      return;
    }
    stream = stream_.get();  // stays until the operation that begins now is over
  }
  if (!finish) return stream->stream.Write(message, &written_event_);
  const grpc::Status answer = status.ok()
                                  ? grpc::Status::OK
                                  : grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                                                 std::string(status.message()));
  stream->stream.Finish(answer, &finished_event_);
}

void Inbound::Written(bool) {
  const std::shared_ptr<Inbound> self = shared_from_this();
  {
    absl::MutexLock lock(&mu_);
    writing_ = false;
  }
  Pump();
}

void Inbound::Finished(bool) {
  {
    absl::MutexLock lock(&mu_);
    end_ = End::kDone;
  }
  ReleaseIfGone();
}

void Inbound::Over() {
  {
    absl::MutexLock lock(&mu_);
    over_ = true;
  }
  ReleaseIfGone();
}

void Inbound::ReleaseIfGone() {
  const std::shared_ptr<Inbound> self = shared_from_this();  // through `gone_`
  std::unique_ptr<ServerStream> stream;
  {
    absl::MutexLock lock(&mu_);
    if (end_ != End::kDone || !over_ || stream_ == nullptr) return;
    stream = std::move(stream_);
  }
  incoming_.Clear();
  // Over runs inside the stream's own on_over: the function must not die while it runs.
  const std::function<void()> running = std::move(stream->on_over);
  stream.reset();
  gone_(this);
}

}  // namespace

struct StreamServer::State {
  std::string task;
  uint64_t incarnation;
  TensorSink* sink;
  absl::Mutex mu;
  bool stopped ABSL_GUARDED_BY(mu) = false;
  absl::flat_hash_map<Inbound*, std::shared_ptr<Inbound>> streams ABSL_GUARDED_BY(mu);
};

StreamServer::StreamServer(std::string task, uint64_t incarnation, TensorSink* sink)
    : state_(std::make_shared<State>()) {
  state_->task = std::move(task);
  state_->incarnation = incarnation;
  state_->sink = sink;
}

StreamServer::~StreamServer() = default;

void StreamServer::Accept(std::unique_ptr<ServerStream> stream, std::function<void()> ended) {
  State* const state = state_.get();  // outlives its streams
  auto gone = [state, ended = std::move(ended)](Inbound* inbound) {
    std::shared_ptr<Inbound> last;
    {
      absl::MutexLock lock(&state->mu);
      auto it = state->streams.find(inbound);
      last = std::move(it->second);
      state->streams.erase(it);
    }
    ended();
  };
  auto inbound = std::make_shared<Inbound>(state->task, state->incarnation, state->sink,
                                           std::move(stream), std::move(gone));
  bool stopped = false;
  {
    absl::MutexLock lock(&state->mu);
    stopped = state->stopped;
    state->streams[inbound.get()] = inbound;
  }
  inbound->Start();
  if (stopped) inbound->Cancel(/*stopping=*/true);
}

void StreamServer::Stop() {
  std::vector<std::shared_ptr<Inbound>> streams;
  {
    absl::MutexLock lock(&state_->mu);
    state_->stopped = true;
    for (const auto& [key, stream] : state_->streams) streams.push_back(stream);
  }
  for (const auto& stream : streams) stream->Cancel(/*stopping=*/true);
}

}  // namespace sluice::transport
