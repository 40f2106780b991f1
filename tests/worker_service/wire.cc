// SPDX-License-Identifier: Apache-2.0
#include "tests/worker_service/wire.h"

#include <mutex>

namespace sluice::worker {

using transport::ParcelId;
using transport::PushWindow;
using transport::StepId;

// Handles the credit of the tensors that came `from` a peer `to` it.
class Wire::Back final : public transport::ReturnPath {
 public:
  Back(Wire* wire, std::string from, std::string to)
      : wire_(wire), from_(std::move(from)), to_(std::move(to)) {}

  void Pull(const ParcelId& id) override {
    Direction& way = wire_->Between(from_, to_);
    std::optional<Parcel> parcel;
    {
      absl::MutexLock lock(&way.mu);
      parcel = way.window.Pull(id);
    }
    if (parcel) wire_->Sink(to_).Deliver(from_, id, *std::move(parcel));
  }

  void Consumed(const StepId& step, int64_t bytes) override {
    Direction& way = wire_->Between(from_, to_);
    std::vector<std::pair<ParcelId, Parcel>> freed;
    {
      absl::MutexLock lock(&way.mu);
      freed = way.window.Consumed(step, bytes);
    }
    // Not inside the call: the consumer of one tensor would recurse into the next.
    if (freed.empty()) return;
    wire_->queue_->Schedule([this, freed = std::move(freed)]() mutable {
      for (auto& [id, parcel] : freed) wire_->Sink(to_).Deliver(from_, id, std::move(parcel));
    });
  }

  void EndStep(const StepId& step) override {
    Direction& way = wire_->Between(from_, to_);
    absl::MutexLock lock(&way.mu);
    way.window.PeerEndStep(step);
  }
  void Replaced() override {}
  const std::string& transport() const override { return name_; }

 private:
  Wire* const wire_;
  const std::string from_, to_, name_ = "wire";
};

class Wire::Channel final : public transport::TensorChannel {
 public:
  Channel(Wire* wire, std::string from, std::string to)
      : wire_(wire), from_(std::move(from)), to_(std::move(to)) {}

  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    std::call_once(connected_, [this] {
      wire_->Sink(to_).returns().Exchange(from_, std::make_shared<Back>(wire_, from_, to_));
    });
    Direction& out = wire_->Between(from_, to_);
    PushWindow::Verdict verdict;
    {
      absl::MutexLock lock(&out.mu);
      verdict = out.window.Send(id, parcel);
      out.pushed += verdict == PushWindow::Verdict::kPush ? 1 : 0;
      out.announced += verdict == PushWindow::Verdict::kAnnounce ? 1 : 0;
    }
    if (verdict == PushWindow::Verdict::kPush)
      wire_->Sink(to_).Deliver(from_, id, std::move(parcel));
    if (verdict == PushWindow::Verdict::kAnnounce) wire_->Sink(to_).Announce(from_, id);
    return absl::OkStatus();
  }

  void EndStep(const StepId& step) override {
    Direction& out = wire_->Between(from_, to_);
    absl::MutexLock lock(&out.mu);
    out.window.EndStep(step);
  }

  std::string ToString() const override { return absl::StrCat("wire to ", to_); }

 private:
  Wire* const wire_;
  const std::string from_, to_;
  std::once_flag connected_;
};

class Wire::End final : public transport::Connector {
 public:
  End(Wire* wire, std::string task) : wire_(wire), task_(std::move(task)) {}
  void Attach(transport::TensorSink* sink) override { wire_->Join(task_, sink); }
  absl::StatusOr<std::unique_ptr<transport::WorkerApi>> ConnectWorker(
      const transport::PeerAddress& peer) override {
    return Unimplemented("no calls to ", peer.task);
  }
  absl::StatusOr<std::shared_ptr<transport::TensorChannel>> ConnectChannel(
      const transport::PeerAddress& peer) override {
    return std::make_unique<Channel>(wire_, task_, peer.task);
  }

 private:
  Wire* const wire_;
  const std::string task_;
};

void Wire::Drain() { queue_.reset(); }

void Wire::Join(const std::string& task, transport::TensorSink* sink) {
  absl::MutexLock lock(&mu_);
  sinks_[task] = sink;
}

std::unique_ptr<transport::Connector> Wire::ConnectorOf(const std::string& task) {
  return std::make_unique<End>(this, task);
}

transport::TensorSink& Wire::Sink(const std::string& task) {
  absl::MutexLock lock(&mu_);
  return *sinks_.at(task);
}

Wire::Direction& Wire::Between(const std::string& from, const std::string& to) {
  absl::MutexLock lock(&mu_);
  auto& direction = directions_[{from, to}];
  if (direction == nullptr) direction = std::make_unique<Direction>(credit_);
  return *direction;
}

size_t Wire::kept() {
  absl::MutexLock lock(&mu_);
  size_t kept = 0;
  for (auto& [ends, direction] : directions_) {
    absl::MutexLock window(&direction->mu);
    kept += direction->window.kept();
  }
  return kept;
}

int Wire::pushed() {
  absl::MutexLock lock(&mu_);
  int pushed = 0;
  for (auto& [ends, direction] : directions_) {
    absl::MutexLock window(&direction->mu);
    pushed += direction->pushed;
  }
  return pushed;
}

int Wire::announced() {
  absl::MutexLock lock(&mu_);
  int announced = 0;
  for (auto& [ends, direction] : directions_) {
    absl::MutexLock window(&direction->mu);
    announced += direction->announced;
  }
  return announced;
}

}  // namespace sluice::worker
