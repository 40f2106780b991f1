// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/stream_channel.h"

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "core/log.h"

namespace sluice::transport {

StreamChannel::StreamChannel(StreamIdentity self, const PeerAddress& peer, TensorSink* sink,
                             bool reconnects, StreamSender::Launch launch)
    : peer_(peer),
      sink_(sink),
      sender_(std::move(self), peer, std::move(launch)),
      reconnects_(reconnects),
      calls_([this](uint64_t call) { CancelRun(call); }) {}

absl::Status StreamChannel::Send(const ParcelId& id, Parcel parcel) {
  SLUICE_ASSIGN(Outgoing out, Outgoing::Of(id, parcel));
  {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(Ready());
    sender_.Send(std::move(out), std::move(parcel));
  }
  FlushSoon();
  return absl::OkStatus();
}

absl::Status StreamChannel::Run(const RunGraph& request, const CallOptions& options,
                                Reply<RunGraphResult>& done) {
  {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(Ready());
  }
  RunHead head{0, request.session, request.graph, request.oldest_live_step, 0};
  if (options.deadline != absl::InfiniteFuture()) {
    head.budget_us = static_cast<uint64_t>(
        std::max<int64_t>(1, absl::ToInt64Microseconds(options.deadline - absl::Now())));
  }
  head.call = calls_.Begin(options.cancel, std::move(done));
  absl::Status broken;
  {
    absl::MutexLock lock(&mu_);
    broken = Ready();
    // If the call was cancelled meanwhile, nobody waits for it.
    if (broken.ok() && calls_.Waits(head.call))
      WriteRun(head, request.step, &sender_.queue().control());
  }
  if (broken.ok())
    FlushSoon();
  else
    calls_.Answered(head.call, broken);
  return absl::OkStatus();
}

void StreamChannel::CancelRun(uint64_t call) {
  {
    absl::MutexLock lock(&mu_);
    if (!connected()) return;
    WriteCancel(call, &sender_.queue().control());
  }
  Flush();
}

void StreamChannel::EndStep(const StepId& step) {
  absl::MutexLock lock(&mu_);
  sender_.EndStep(step);
  StepEnded();
}

absl::Status StreamChannel::Ready() {
  if (closing_) return Unavailable("the channel to ", peer_.task, " is closed");
  if (!broken_.ok() && (telling_ || !reconnects_)) return broken_;
  if (connected()) return absl::OkStatus();
  const absl::Status opened = Connect();
  return opened.ok() ? opened : sender_.CannotOpen(opened);
}

absl::Status StreamChannel::Take(const StreamFrame& frame) {
  if (frame.kind == FrameKind::kRan) {
    calls_.Answered(frame.run.call, frame.status);
    return absl::OkStatus();
  }
  absl::MutexLock lock(&mu_);
  if (frame.kind == FrameKind::kFault) {
    faulted_ = true;
    return frame.status;
  }
  if (frame.kind == FrameKind::kPing) {
    WritePong(/*messages=*/0, &sender_.queue().control());
    return absl::OkStatus();
  }
  SLUICE_RETURN_IF_ERROR(sender_.Take(frame));
  was_open_ = true;
  return absl::OkStatus();
}

// Names the stream whose answers were changed. The peer's fault names it already.
absl::Status StreamChannel::Described(const absl::Status& why) const {
  if (!absl::IsDataLoss(why) || faulted_) return why;
  return MakeStatus(why.code(), "answers to ", sender_.task(), " on its stream by ", ToString(),
                    ": ", why.message());
}

std::string StreamChannel::FaultOf(const absl::Status& why) {
  std::string frame;
  absl::MutexLock lock(&mu_);
  if (absl::IsDataLoss(why) && !faulted_) WriteFault(Described(why), &frame);
  return frame;
}

StreamChannel::Ending StreamChannel::Lose(const absl::Status& why, bool from_peer) {
  telling_ = true;
  faulted_ = faulted_ || from_peer;
  broken_ = sender_.Lost(Described(why));
  faulted_ = false;
  return {sender_.Forget(), broken_, !closing_};
}

void StreamChannel::Tell(const Ending& ending) {
  calls_.Break(ending.status);
  if (ending.told) {
    Log(LogLevel::kDebug, "tensor stream ended: ", ending.status.message());
    sink_->Broken(peer_.task, ending.status);
  }
  absl::MutexLock lock(&mu_);
  telling_ = false;
}

void StreamChannel::Close() {
  {
    absl::MutexLock lock(&mu_);
    closing_ = true;
  }
  calls_.Close(Unavailable("the channel to ", peer_.task, " is closed"));
}

void StreamChannel::AwaitEnd() {
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(
      +[](StreamChannel* self) ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) {
        return !self->connected() && !self->telling_;
      },
      this));
}

}  // namespace sluice::transport
