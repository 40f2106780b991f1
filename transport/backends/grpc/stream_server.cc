// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/grpc/stream_server.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <optional>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "transport/backends/grpc/stream_pings.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/tensor_wire.h"
#include "transport/protocol/stream_receiver.h"

namespace sluice::transport {
namespace {

// One stream that a peer opened: its tensors go to the sink, and it is the peer's return path.
//
// from       when                          to         does
// accepted   the peer's hello is right     open       answers it, becomes the peer's return path
// accepted   the hello is wrong            ending     gives the reason as the call's status
// open       the peer opens another        open       is cancelled; the sink learns that it broke
// open       the peer ends it, or is lost  ending     tells the sink
// open       a step waits, nothing comes   open       pings the peer; at last cancels the stream
// open       the peer sends invalid data   ending     tells the sink, and the peer by the status
// ending     no write is in progress       finishing  finishes the call
// finishing  finished, and the call over   (gone)
//
// Owner:    the server's State until it is destroyed; the sink's return paths meanwhile.
class Inbound final : public StreamReceiver, private FrameSink {
 public:
  Inbound(StreamIdentity self, TensorSink* sink, std::unique_ptr<ServerStream> stream,
          std::function<void(Inbound*)> gone)
      : StreamReceiver(std::move(self), sink, "grpc"),
        gone_(std::move(gone)),
        stream_(std::move(stream)) {}

  void Start();
  void Cancel(bool stopping);
  // To be called at intervals. `silence` is that of all looks.
  void LookForSilence(absl::Duration silence);
  void Replaced() override { Cancel(/*stopping=*/false); }

 private:
  enum class Phase { kNo, kWanted, kStarted, kDone };

  void Read(bool ok);
  void Written(bool ok);
  void Finished(bool ok);
  void Over();
  absl::StatusOr<Content> Begin(const StreamFrame& frame) override;
  absl::Status End(const StreamFrame& frame) override {
    return StreamReceiver::End(frame, current_);
  }
  void Answer() override { Pump(); }
  void Finish(const absl::Status& status);  // the reader's last act
  void Pump(std::optional<absl::Status> end = std::nullopt);
  void ReleaseIfGone();

  const std::function<void(Inbound*)> gone_;

  // Used by the reader only, one event at a time.
  FrameReader reader_{this};
  Arrivals::Current current_;
  std::string address_;
  grpc::ByteBuffer incoming_;

  absl::Mutex mu_;
  // Lives while operations are outstanding.
  std::unique_ptr<ServerStream> stream_ ABSL_GUARDED_BY(mu_);
  bool writing_ ABSL_GUARDED_BY(mu_) = false, over_ ABSL_GUARDED_BY(mu_) = false,
                stopping_ ABSL_GUARDED_BY(mu_) = false;
  bool open_ ABSL_GUARDED_BY(mu_) = false;  // the peer is known
  Phase phase_ ABSL_GUARDED_BY(mu_) = Phase::kNo;
  absl::Status status_ ABSL_GUARDED_BY(mu_), silence_ ABSL_GUARDED_BY(mu_);
  StreamPings pings_ ABSL_GUARDED_BY(mu_);

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

void Inbound::LookForSilence(absl::Duration silence) {
  {
    absl::MutexLock lock(&mu_);
    if (!open_) return;
  }
  const bool waits = sink()->Awaits(peer());
  bool silent = false;
  {
    absl::MutexLock lock(&mu_);
    silent = pings_.Look(waits);
    if (silent && silence_.ok())
      silence_ = Unavailable("while a tensor is awaited it answered nothing for ",
                             absl::FormatDuration(silence));
  }
  if (silent) return Cancel(/*stopping=*/false);
  Pump();
}

void Inbound::Read(bool ok) {
  if (!ok) {
    absl::Status silence;
    {
      absl::MutexLock lock(&mu_);
      silence = silence_;
    }
    return Finish(silence);
  }
  EventLoop::StepAsideFor(incoming_.Length());
  if (absl::Status status = ReadFrames(incoming_, reader_); !status.ok()) return Finish(status);
  incoming_.Clear();
  grpc::GenericServerAsyncReaderWriter* stream = nullptr;
  {
    absl::MutexLock lock(&mu_);
    stream = &stream_->stream;
    pings_.Arrived();
  }
  stream->Read(&incoming_, &read_event_);
}

absl::StatusOr<Content> Inbound::Begin(const StreamFrame& frame) {
  if (greeted() && (frame.kind == FrameKind::kPing || frame.kind == FrameKind::kPong)) {
    {
      absl::MutexLock lock(&mu_);
      SLUICE_RETURN_IF_ERROR(pings_.Take(frame));
    }
    Pump();
    return Content{};
  }
  if (greeted() || frame.kind != FrameKind::kHello) return StreamReceiver::Begin(frame, current_);
  SLUICE_RETURN_IF_ERROR(Greet(frame.hello, address_));
  absl::MutexLock lock(&mu_);
  open_ = true;
  return Content{};
}

void Inbound::Finish(const absl::Status& status) {
  bool stopping = false;
  {
    absl::MutexLock lock(&mu_);
    stopping = stopping_;
    open_ = false;
  }
  const absl::Status described = Described(status);
  Leave(status, /*told=*/!stopping);
  Pump(described);
}

// Writes pending data, or ends the call once no write is in progress.
void Inbound::Pump(std::optional<absl::Status> end) {
  ServerStream* stream = nullptr;
  grpc::ByteBuffer message;
  bool finish = false;
  absl::Status status;
  {
    absl::MutexLock lock(&mu_);
    if (end.has_value()) {
      phase_ = Phase::kWanted;
      status_ = *std::move(end);
    }
    if (writing_) return;
    if (phase_ == Phase::kWanted) {
      phase_ = Phase::kStarted;
      finish = true;
      status = status_;
    } else if (phase_ == Phase::kNo) {
      std::string answers = TakeAnswers();
      if (answers.empty()) {
        answers = pings_.TakeMessage();
        if (answers.empty()) return;
      } else {
        pings_.Left(answers.size());
      }
      writing_ = true;
      const grpc::Slice slice(answers);
      message = grpc::ByteBuffer(&slice, 1);
    } else {
      return;
    }
    stream = stream_.get();  // stays until the operation that begins now has ended
  }
  if (!finish) return stream->stream.Write(message, &written_event_);
  const grpc::Status answer = status.ok()
                                  ? grpc::Status::OK
                                  : grpc::Status(static_cast<grpc::StatusCode>(status.code()),
                                                 std::string(status.message()));
  stream->stream.Finish(answer, &finished_event_);
}

void Inbound::Written(bool) {
  const std::shared_ptr<StreamReceiver> self = shared_from_this();
  {
    absl::MutexLock lock(&mu_);
    writing_ = false;
  }
  Pump();
}

void Inbound::Finished(bool) {
  {
    absl::MutexLock lock(&mu_);
    phase_ = Phase::kDone;
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
  const std::shared_ptr<StreamReceiver> self = shared_from_this();  // also while `gone_` runs
  std::unique_ptr<ServerStream> stream;
  {
    absl::MutexLock lock(&mu_);
    if (phase_ != Phase::kDone || !over_ || stream_ == nullptr) return;
    stream = std::move(stream_);
  }
  incoming_.Clear();
  // Over runs inside the stream's own on_over: the function must not be destroyed while it runs.
  const std::function<void()> running = std::move(stream->on_over);
  stream.reset();
  gone_(this);
}

}  // namespace

struct StreamServer::State {
  std::string task;
  uint64_t incarnation;
  TensorSink* sink;
  grpc::CompletionQueue* queue;
  absl::Duration silence;
  absl::Mutex mu;
  bool stopped ABSL_GUARDED_BY(mu) = false;
  std::shared_ptr<State> watching ABSL_GUARDED_BY(mu);  // this, until the next look
  grpc::Alarm alarm ABSL_GUARDED_BY(mu);
  absl::flat_hash_map<Inbound*, std::shared_ptr<Inbound>> streams ABSL_GUARDED_BY(mu);
  void Looked(bool ok);
  EventOf<State, &State::Looked> looked_event{this};

  void Watch(std::shared_ptr<State> self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) {
    watching = std::move(self);
    alarm.Set(queue, absl::ToChronoTime(absl::Now() + silence / StreamPings::kLooks),
              &looked_event);
  }
};

// There are looks while there are streams.
void StreamServer::State::Looked(bool ok) {
  std::vector<std::shared_ptr<Inbound>> open;
  std::shared_ptr<State> self;
  {
    absl::MutexLock lock(&mu);
    self = watching;
    for (const auto& [key, stream] : streams) open.push_back(stream);
  }
  if (ok) {
    for (const auto& stream : open) stream->LookForSilence(silence);
  }
  absl::MutexLock lock(&mu);
  watching = nullptr;
  if (!stopped && !streams.empty()) Watch(self);
}

StreamServer::StreamServer(std::string task, uint64_t incarnation, TensorSink* sink,
                           grpc::CompletionQueue* queue, absl::Duration silence)
    : state_(std::make_shared<State>()) {
  state_->task = std::move(task);
  state_->incarnation = incarnation;
  state_->sink = sink;
  state_->queue = queue;
  state_->silence = silence;
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
  auto inbound = std::make_shared<Inbound>(StreamIdentity{state->task, state->incarnation},
                                           state->sink, std::move(stream), std::move(gone));
  bool stopped = false;
  {
    absl::MutexLock lock(&state->mu);
    stopped = state->stopped;
    state->streams[inbound.get()] = inbound;
    if (!stopped && state->watching == nullptr) state->Watch(state_);
  }
  inbound->Start();
  if (stopped) inbound->Cancel(/*stopping=*/true);
}

void StreamServer::Stop() {
  std::vector<std::shared_ptr<Inbound>> streams;
  {
    absl::MutexLock lock(&state_->mu);
    state_->stopped = true;
    if (state_->watching != nullptr) state_->alarm.Cancel();
    for (const auto& [key, stream] : state_->streams) streams.push_back(stream);
  }
  for (const auto& stream : streams) stream->Cancel(/*stopping=*/true);
}

}  // namespace sluice::transport
