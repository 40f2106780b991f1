// SPDX-License-Identifier: Apache-2.0
#include "transport/selection/selected_channel.h"

#include <utility>

#include "absl/time/clock.h"
#include "core/log.h"

namespace sluice::transport {

namespace {

constexpr absl::Duration kHandshakeTimeout = absl::Seconds(20);
constexpr absl::Duration kPassedOver = absl::Minutes(1);  // for a transport that never opened

}  // namespace

SelectedChannel::SelectedChannel(HandshakeRequest request, PeerAddress peer,
                                 std::unique_ptr<HandshakeApi> handshake, Choose choose,
                                 TensorSink* sink)
    : introduction_(std::move(request)),
      peer_(std::move(peer)),
      choose_(std::move(choose)),
      sink_(sink),
      handshake_(std::move(handshake)) {}

SelectedChannel::~SelectedChannel() {
  {
    absl::MutexLock lock(&mu_);
    closing_ = true;
  }
  handshake_.reset();
}

absl::Status SelectedChannel::Send(const ParcelId& id, Parcel parcel) {
  while (true) {
    TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
    if (chosen != nullptr) {
      absl::Status status = chosen->Send(id, parcel);
      // Steps that saw the break have failed already; a new transport is chosen for others.
      if (!Broke(chosen, status)) return status;
    }
    absl::MutexLock lock(&mu_);
    if (closing_) return Unavailable("the channel to ", peer_.task, " is closed");
    // Another thread has chosen meanwhile. A second request would open a second stream, which ends
    // the first.
    if (chosen_.load(std::memory_order_acquire) != nullptr) continue;
    waiting_.emplace_back(id, std::move(parcel));
    if (std::exchange(asking_, true)) return absl::OkStatus();
    break;
  }
  Ask();
  return absl::OkStatus();
}

absl::StatusOr<Tensor> SelectedChannel::Allocate(DType dtype, const Shape& shape) {
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr ? chosen->Allocate(dtype, shape) : TensorChannel::Allocate(dtype, shape);
}

std::optional<Tensor> SelectedChannel::AllocateForMany(DType dtype, const Shape& shape) {
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr ? chosen->AllocateForMany(dtype, shape) : std::nullopt;
}

void SelectedChannel::EndStep(const StepId& step) {
  if (TensorChannel* chosen = chosen_.load(std::memory_order_acquire); chosen != nullptr)
    chosen->EndStep(step);
}

absl::Status SelectedChannel::Run(const RunGraph& request, const CallOptions& options,
                                  Reply<RunGraphResult>& done) {
  absl::Status status = Unavailable("no transport to ", peer_.task, " is chosen yet");
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  if (chosen != nullptr) {
    status = chosen->Run(request, options, done);
    if (!Broke(chosen, status)) return status;
  }
  WhenChosen([](const absl::StatusOr<TransportChoice>&) {});  // in time for the next run
  return status;
}

bool SelectedChannel::awaits_runs() const {
  const TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr && chosen->awaits_runs();
}

void SelectedChannel::GiveUp(const absl::Status& why) {
  if (TensorChannel* chosen = chosen_.load(std::memory_order_acquire); chosen != nullptr)
    chosen->GiveUp(why);
}

std::string SelectedChannel::ToString() const {
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr
             ? chosen->ToString()
             : absl::StrCat("no transport yet to ", peer_.task, " at ", peer_.address);
}

void SelectedChannel::WhenChosen(Reply<TransportChoice> done) {
  TransportChoice choice;
  {
    absl::MutexLock lock(&mu_);
    if (chosen_.load(std::memory_order_acquire) == nullptr) {
      waiters_.push_back(std::exchange(done, nullptr));
      if (std::exchange(asking_, true)) return;
    } else {
      choice = choice_;
    }
  }
  if (done)
    done(std::move(choice));
  else
    Ask();
}

bool SelectedChannel::Broke(TensorChannel* channel, const absl::Status& status) {
  const bool cannot_open = absl::IsResourceExhausted(status) && !channel->was_open();
  // DATA_LOSS: the peer or this end has read bytes that were changed on their way.
  const bool ended = absl::IsUnavailable(status) || absl::IsDataLoss(status);
  if (!ended && !cannot_open) return false;
  Lost(channel, status);
  return true;
}

void SelectedChannel::Lost(TensorChannel* channel, const absl::Status& why) {
  TensorChannel* expected = channel;
  if (!chosen_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) return;
  if (channel->was_open()) return;
  absl::MutexLock lock(&mu_);
  failed_.push_back({choice_.transport, std::string(why.message())});
  failed_until_ = absl::Now() + kPassedOver;
}

// REQUIRES: this caller set asking_.
void SelectedChannel::Ask() {
  if (handshake_ == nullptr) return Answered(HandshakeReply());
  CallOptions options;
  options.deadline = absl::Now() + kHandshakeTimeout;
  handshake_->Handshake(introduction_, options,
                        [this](const absl::StatusOr<HandshakeReply>& reply) { Answered(reply); });
}

void SelectedChannel::Answered(const absl::StatusOr<HandshakeReply>& reply) {
  TransportChoice choice{peer_.task, "", {}, peer_.address};
  {
    absl::MutexLock lock(&mu_);
    if (absl::Now() > failed_until_) failed_.clear();
    choice.passed_over = failed_;
  }
  auto made = choose_(peer_, reply, &choice);
  if (!made.ok()) return NotChosen(made.status());
  TensorChannel* const channel = made->get();
  Log(LogLevel::kInfo, introduction_.peer.task, " sends tensors by ", channel->ToString());
  {
    absl::MutexLock lock(&mu_);
    channels_.push_back(*std::move(made));
    choice_ = choice;
  }
  std::vector<Reply<TransportChoice>> waiters;
  while (true) {
    Waiting waiting;
    {
      absl::MutexLock lock(&mu_);
      waiting.swap(waiting_);
      if (waiting.empty()) {
        asking_ = false;
        chosen_.store(channel, std::memory_order_release);
        waiters.swap(waiters_);
        break;
      }
    }
    for (auto& [id, parcel] : waiting) {
      const absl::Status status = channel->Send(id, std::move(parcel));
      // A connection that fails is reported like a break.
      if (!status.ok()) sink_->Broken(peer_.task, status);
    }
  }
  for (auto& done : waiters) done(choice);
}

void SelectedChannel::NotChosen(const absl::Status& status) {
  Waiting dropped;
  std::vector<Reply<TransportChoice>> waiters;
  bool told = false;
  {
    absl::MutexLock lock(&mu_);
    dropped.swap(waiting_);
    waiters.swap(waiters_);
    asking_ = false;
    told = !closing_;
  }
  if (told && !dropped.empty()) sink_->Broken(peer_.task, status);
  for (auto& done : waiters) done(status);
}

}  // namespace sluice::transport
