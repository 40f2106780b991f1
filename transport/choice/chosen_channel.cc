#include "transport/choice/chosen_channel.h"

#include <utility>

#include "absl/time/clock.h"
#include "core/log.h"

namespace sluice::transport {

namespace {

constexpr absl::Duration kPatience = absl::Seconds(20);   // with a peer that is asked
constexpr absl::Duration kPassedOver = absl::Minutes(1);  // for a transport that never opened

}  // namespace

ChosenChannel::ChosenChannel(Introduction introduction, PeerAddress peer,
                             std::unique_ptr<Introducer> introducer, Choose choose,
                             TensorSink* sink)
    : introduction_(std::move(introduction)),
      peer_(std::move(peer)),
      choose_(std::move(choose)),
      sink_(sink),
      introducer_(std::move(introducer)) {}

ChosenChannel::~ChosenChannel() {
  {
    absl::MutexLock lock(&mu_);
    closing_ = true;
  }
  introducer_.reset();
}

absl::Status ChosenChannel::Send(const ParcelId& id, Parcel parcel) {
  while (true) {
    TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
    if (chosen != nullptr) {
      absl::Status status = chosen->Send(id, parcel);
      // Steps that saw the break have failed already; a new transport is chosen for others.
      if (!Broke(chosen, status)) return status;
    }
    absl::MutexLock lock(&mu_);
    if (closing_) return Unavailable("the channel to ", peer_.task, " is closed");
    // Chosen meanwhile. To ask again would open a second stream, which ends the first.
    if (chosen_.load(std::memory_order_acquire) != nullptr) continue;
    waiting_.emplace_back(id, std::move(parcel));
    if (std::exchange(asking_, true)) return absl::OkStatus();
    break;
  }
  Ask();
  return absl::OkStatus();
}

absl::StatusOr<Tensor> ChosenChannel::Allocate(DType dtype, const Shape& shape) {
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr ? chosen->Allocate(dtype, shape) : TensorChannel::Allocate(dtype, shape);
}

void ChosenChannel::Pull(const ParcelId& id) { sink_->returns().Pull(peer_.task, id); }

void ChosenChannel::Consumed(const StepId& step, int64_t bytes) {
  sink_->returns().Consumed(peer_.task, step, bytes);
}

void ChosenChannel::EndStep(const StepId& step) {
  if (TensorChannel* chosen = chosen_.load(std::memory_order_acquire); chosen != nullptr)
    return chosen->EndStep(step);
  sink_->returns().EndStep(peer_.task, step);
}

absl::Status ChosenChannel::Run(const RunGraph& request, const CallOptions& options,
                                Reply<RunGraphResult>& done) {
  absl::Status status = Unavailable("no transport to ", peer_.task, " is chosen yet");
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  if (chosen != nullptr) {
    status = chosen->Run(request, options, done);
    if (!Broke(chosen, status)) return status;
  }
  WhenChosen([](const absl::StatusOr<RoadChoice>&) {});  // for the next run
  return status;
}

bool ChosenChannel::awaits_runs() const {
  const TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr && chosen->awaits_runs();
}

void ChosenChannel::GiveUp(const absl::Status& why) {
  if (TensorChannel* chosen = chosen_.load(std::memory_order_acquire); chosen != nullptr)
    chosen->GiveUp(why);
}

std::string ChosenChannel::ToString() const {
  TensorChannel* const chosen = chosen_.load(std::memory_order_acquire);
  return chosen != nullptr
             ? chosen->ToString()
             : absl::StrCat("no transport yet to ", peer_.task, " at ", peer_.address);
}

void ChosenChannel::WhenChosen(Reply<RoadChoice> done) {
  RoadChoice choice;
  {
    absl::MutexLock lock(&mu_);
    if (chosen_.load(std::memory_order_acquire) == nullptr) {
      curious_.push_back(std::exchange(done, nullptr));
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

bool ChosenChannel::Broke(TensorChannel* channel, const absl::Status& status) {
  const bool cannot_open = absl::IsResourceExhausted(status) && !channel->was_open();
  if (!absl::IsUnavailable(status) && !cannot_open) return false;
  Lost(channel, status);
  return true;
}

void ChosenChannel::Lost(TensorChannel* channel, const absl::Status& why) {
  TensorChannel* expected = channel;
  if (!chosen_.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel)) return;
  if (channel->was_open()) return;
  absl::MutexLock lock(&mu_);
  failed_.push_back({choice_.road, std::string(why.message())});
  failed_until_ = absl::Now() + kPassedOver;
}

// REQUIRES: this caller set asking_.
void ChosenChannel::Ask() {
  if (introducer_ == nullptr) return Answered(Welcome());
  CallOptions options;
  options.deadline = absl::Now() + kPatience;
  introducer_->Introduce(introduction_, options,
                         [this](const absl::StatusOr<Welcome>& welcome) { Answered(welcome); });
}

void ChosenChannel::Answered(const absl::StatusOr<Welcome>& welcome) {
  RoadChoice choice{peer_.task, "", {}, peer_.address};
  {
    absl::MutexLock lock(&mu_);
    if (absl::Now() > failed_until_) failed_.clear();
    choice.passed_over = failed_;
  }
  auto made = choose_(peer_, welcome, &choice);
  if (!made.ok()) return NotChosen(made.status());
  TensorChannel* const channel = made->get();
  Log(LogLevel::kInfo, introduction_.visitor.task, " sends tensors by ", channel->ToString());
  {
    absl::MutexLock lock(&mu_);
    channels_.push_back(*std::move(made));
    choice_ = choice;
  }
  std::vector<Reply<RoadChoice>> curious;
  while (true) {
    Waiting waiting;
    {
      absl::MutexLock lock(&mu_);
      waiting.swap(waiting_);
      if (waiting.empty()) {
        asking_ = false;
        chosen_.store(channel, std::memory_order_release);
        curious.swap(curious_);
        break;
      }
    }
    for (auto& [id, parcel] : waiting) {
      const absl::Status status = channel->Send(id, std::move(parcel));
      // A connection that fails is reported like a break.
      if (!status.ok()) sink_->Broken(peer_.task, status);
    }
  }
  for (auto& done : curious) done(choice);
}

void ChosenChannel::NotChosen(const absl::Status& status) {
  Waiting dropped;
  std::vector<Reply<RoadChoice>> curious;
  bool told = false;
  {
    absl::MutexLock lock(&mu_);
    dropped.swap(waiting_);
    curious.swap(curious_);
    asking_ = false;
    told = !closing_;
  }
  if (told && !dropped.empty()) sink_->Broken(peer_.task, status);
  for (auto& done : curious) done(status);
}

}  // namespace sluice::transport
