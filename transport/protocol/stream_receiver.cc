// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/stream_receiver.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "core/log.h"
#include "core/version.h"
#include "transport/time_budget.h"

namespace sluice::transport {

absl::Status StreamReceiver::Greet(const Hello& hello, std::string address) {
  if (hello.protocol != kStreamProtocol || hello.version != kVersion) {
    return FailedPrecondition(self_.task, " runs version ", kVersion, ", ", hello.task, " runs ",
                              hello.version);
  }
  if (hello.to != self_.task && !sink_->KnownAs(hello.to))
    return FailedPrecondition("expected ", hello.to, ", found ", self_.task);
  peer_ = hello.task;
  address_ = std::move(address);
  arrivals_.emplace(sink_, peer_);
  report_at_ = std::max<int64_t>(
      1, static_cast<int64_t>(std::min<uint64_t>(hello.credit, int64_t{1} << 40)) / 8);
  if (auto before = sink_->returns().Exchange(peer_, shared_from_this()); before != nullptr) {
    before->Replaced();
    sink_->Broken(peer_, Unavailable("task ", peer_, " at ", address_,
                                     ": it lost its tensor stream and opened a new one"));
  }
  Reply([&](std::string* out) {
    WriteHello({kStreamProtocol, hello.to, kVersion, self_.incarnation, peer_, 0}, out);
  });
  return absl::OkStatus();
}

absl::StatusOr<Content> StreamReceiver::Begin(const StreamFrame& frame,
                                              Arrivals::Current& current) {
  if (!arrivals_.has_value()) return InvalidArgument("a tensor stream begins with hello");
  if (frame.kind == FrameKind::kRun) {
    SLUICE_RETURN_IF_ERROR(BeginRun(frame));
    return Content{};
  }
  if (frame.kind == FrameKind::kCancel) {
    CancelRun(frame.run.call);
    return Content{};
  }
  if (frame.kind == FrameKind::kPong) return Content{};
  if (frame.kind == FrameKind::kFault) {
    faulted_ = true;
    return frame.status;
  }
  CountKept(frame);
  bool step_ended = false;
  SLUICE_ASSIGN(const Content content, arrivals_->Begin(frame, current, &step_ended));
  if (step_ended) TellEnded(frame);
  return content;
}

absl::Status StreamReceiver::TakePlaced(const StreamFrame& frame, Tensor tensor) {
  if (!arrivals_.has_value()) return InvalidArgument("a tensor stream begins with hello");
  CountKept(frame);
  if (!IsPlain(frame.head.dtype))
    return arrivals_->DeliverEncoded(frame, {tensor.data<char>(), tensor.bytes()});
  if (!arrivals_->DeliverPlaced(frame, std::move(tensor))) TellEnded(frame);
  return absl::OkStatus();
}

absl::Status StreamReceiver::BeginRun(const StreamFrame& frame) {
  const uint64_t call = frame.run.call;
  auto token = std::make_shared<CancelToken>();
  {
    absl::MutexLock lock(&mu_);
    if (!runs_.try_emplace(call, token).second)
      return InvalidArgument("call ", call, " has not been answered yet");
  }
  RunGraph request;
  request.session = frame.run.session;
  request.graph = frame.run.graph;
  request.step = frame.id.step;
  request.oldest_live_step = frame.run.oldest_live_step;
  CallOptions options;
  options.cancel = token.get();
  if (const uint64_t budget_us = frame.run.budget_us; budget_us > 0)
    options.deadline = absl::Now() + TimeBudgetFor(absl::Microseconds(budget_us));
  sink_->Run(
      std::move(request), options,
      [self = shared_from_this(), token, call](const absl::StatusOr<RunGraphResult>& result) {
        self->Ran(call, result.status());
      });
  return absl::OkStatus();
}

void StreamReceiver::CancelRun(uint64_t call) {
  std::shared_ptr<CancelToken> token;
  {
    absl::MutexLock lock(&mu_);
    auto it = runs_.find(call);
    if (it == runs_.end()) return;  // the run has ended
    token = it->second;
  }
  token->Cancel(absl::CancelledError("the master cancelled the step"));
}

void StreamReceiver::Ran(uint64_t call, const absl::Status& status) {
  Reply([&](std::string* out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    runs_.erase(call);
    WriteRan(call, status, out);
  });
}

void StreamReceiver::TellEnded(const StreamFrame& frame) {
  if (frame.kind == FrameKind::kAnnounce) {
    absl::MutexLock lock(&mu_);
    steps_.erase(frame.id.step);
  } else if (frame.id.step == told_) {
    return;
  }
  told_ = frame.id.step;
  Reply([&](std::string* out) { WriteEnd(frame.id.step, out); });
}

void StreamReceiver::CountKept(const StreamFrame& frame) {
  const bool announced = frame.kind == FrameKind::kAnnounce;
  // For a tensor in parts, this is the first part.
  if (!announced && (!frame.head.announced || (frame.kind == FrameKind::kPart && frame.at.offset)))
    return;
  absl::MutexLock lock(&mu_);
  if (announced) {
    ++steps_[frame.id.step].announced;
  } else if (auto it = steps_.find(frame.id.step); it != steps_.end()) {
    --it->second.announced;
  }
}

void StreamReceiver::Leave(const absl::Status& status, bool told) {
  absl::flat_hash_map<uint64_t, std::shared_ptr<CancelToken>> runs;
  {
    absl::MutexLock lock(&mu_);
    ended_ = true;
    runs.swap(runs_);
  }
  for (const auto& [call, token] : runs)
    token->Cancel(absl::CancelledError("the stream to the step's master ended"));
  const bool current = arrivals_.has_value() && sink_->returns().Remove(peer_, this);
  if (current && told) {
    const absl::Status why =
        Described(status.ok() ? Unavailable("its tensor stream ended") : status);
    // A peer that shuts down ends its stream in order.
    Log(status.ok() ? LogLevel::kDebug : LogLevel::kInfo, "tensor stream from ", peer_,
        " ended: ", why.message());
    sink_->Broken(peer_,
                  MakeStatus(absl::IsDataLoss(why) ? why.code() : absl::StatusCode::kUnavailable,
                             "task ", peer_, " at ", address_, ": ", why.message()));
  }
  arrivals_.reset();
}

absl::Status StreamReceiver::Described(const absl::Status& why) const {
  if (!absl::IsDataLoss(why) || faulted_) return why;
  return MakeStatus(why.code(), transport_, " stream from ", peer_.empty() ? "a task" : peer_,
                    " to ", self_.task, ": ", why.message());
}

std::string StreamReceiver::FaultOf(const absl::Status& why) const {
  std::string frame;
  if (absl::IsDataLoss(why) && !faulted_) WriteFault(Described(why), &frame);
  return frame;
}

void StreamReceiver::Pull(const ParcelId& id) {
  Reply([&](std::string* out) { WritePull(id, out); });
}

// Reports once an eighth of the credit is consumed: most steps end before the first report.
void StreamReceiver::Consumed(const StepId& step, int64_t bytes) {
  Reply([&](std::string* out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    StepReturn& back = steps_[step];
    back.consumed += bytes;
    if (back.consumed < report_at_) return;
    WriteCredit(step, static_cast<uint64_t>(std::exchange(back.consumed, 0)), out);
  });
}

// Sent only to a peer that still keeps tensors for us.
void StreamReceiver::EndStep(const StepId& step) {
  Reply([&](std::string* out) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    auto it = steps_.find(step);
    if (it == steps_.end()) return;
    if (it->second.announced > 0) WriteEnd(step, out);
    steps_.erase(it);
  });
}

void StreamReceiver::Reply(absl::FunctionRef<void(std::string*)> write) {
  {
    absl::MutexLock lock(&mu_);
    if (ended_) return;
    write(&answers_);
    if (answers_.empty()) return;
  }
  Answer();
}

std::string StreamReceiver::TakeAnswers() {
  absl::MutexLock lock(&mu_);
  return std::exchange(answers_, {});
}

}  // namespace sluice::transport
