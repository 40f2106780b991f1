// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/channels.h"

#include <atomic>
#include <optional>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "bench/transport/channel_task.h"
#include "bench/transport/check.h"
#include "bench/transport/clock.h"
#include "core/runtime/device.h"

namespace sluice::bench {
namespace {

using transport::ParcelId;

// The content of a tensor's key: its index in the step, the number of tensors, and the expected
// answer.
ParcelId IdOf(uint64_t step, uint64_t index, uint64_t count, Answer answer) {
  return {{1, step}, {index, count, 0, static_cast<uint64_t>(answer)}};
}

// Receives the tensors of one step after another. Those of a step come in any order, those of the
// next only after an answer.
class Arrivals : public transport::TensorSink {
 public:
  explicit Arrivals(bool minds_breaks) : minds_(minds_breaks) {}

  absl::StatusOr<Tensor> Prepare(const ParcelId&, DType dtype, const Shape& shape) override {
    return Tensor::Allocate(CpuAllocator(), dtype, shape);
  }
  void Announce(const std::string& peer, const ParcelId& id) override { returns().Pull(peer, id); }
  void Broken(const std::string&, const absl::Status& status) override {
    Check(!minds_.load(), "keeping a channel: " + status.ToString());
  }
  void Deliver(const std::string& peer, const ParcelId& id, Parcel parcel) override {
    returns().Consumed(peer, id.step, transport::ParcelBytes(parcel));
    Arrived(id, std::move(parcel));
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 != id.key.frame) return;
    arrived_.store(0, std::memory_order_release);
    AllArrived(id);
    returns().EndStep(peer, id.step);
    channel().EndStep(id.step);
  }

  void Join(std::unique_ptr<ChannelTask> task) { task_ = std::move(task); }
  ChannelTask& task() { return *task_; }

 protected:
  virtual void Arrived(const ParcelId& id, Parcel parcel) = 0;
  virtual void AllArrived(const ParcelId& id) = 0;
  transport::TensorChannel& channel() { return task_->channel(); }
  // Nothing is delivered afterwards. Called before the destruction of objects that deliveries use.
  void Part() {
    minds_.store(false);
    task_.reset();
  }

 private:
  std::atomic<uint64_t> arrived_{0};  // number of tensors in the step
  std::atomic<bool> minds_;           // whether a broken channel is an error
  std::unique_ptr<ChannelTask> task_;
};

class ChannelContender final : public Contender, private Arrivals {
 public:
  ChannelContender() : Arrivals(/*minds_breaks=*/true) {}
  ~ChannelContender() override { Part(); }
  absl::Status Open(const std::string& kind, FarProcess& far, int connections) {
    const PairOfHosts hosts{far.own_host(), far.host(), far.host_id()};
    SLUICE_ASSIGN(auto task, CreateChannelTask(kind, /*near=*/true, hosts, connections, this));
    std::vector<std::string> arguments = {absl::StrCat(connections)};
    SLUICE_ASSIGN(const std::vector<std::string> offer, task->Offer());
    arguments.insert(arguments.end(), offer.begin(), offer.end());
    SLUICE_ASSIGN(FarEnd opened, far.Open(kind, arguments));
    far_.emplace(std::move(opened));
    SLUICE_RETURN_IF_ERROR(task->Connect(far_->contact()));
    Join(std::move(task));
    return absl::OkStatus();
  }

  void Load(const Payload& payload, int window) override {
    tensors_ = EncodedTensors(payload);
    window_ = window;
  }
  std::vector<double> PingPong(int times) override {
    trips_.clear();
    trips_.reserve(times + 1);
    left_ = times + 1;  // the first begins on this thread
    Ping();
    Wait();
    left_ = 0;
    return {trips_.begin() + 1, trips_.end()};
  }
  void Stream() override {
    Send(Answer::kReceipt, window_);
    Wait();
  }
  void Post() override { Send(Answer::kEcho, 1); }
  void Await() override { Wait(); }

 private:
  void Send(Answer answer, int times) {
    const uint64_t step = ++step_, count = tensors_.size() * times;
    for (uint64_t i = 0; i < count; ++i) {
      const absl::Status sent =
          channel().Send(IdOf(step, i, count, answer), {tensors_[i % tensors_.size()]});
      Check(sent.ok(), "sending: " + sent.ToString());
    }
  }
  void Ping() {
    sent_at_ = Now();
    Send(Answer::kEcho, 1);
  }
  void Arrived(const ParcelId&, Parcel) override {}
  void AllArrived(const ParcelId&) override {
    if (left_ > 0) {
      trips_.push_back(Now() - sent_at_);
      if (--left_ > 0) return Ping();
    }
    absl::MutexLock lock(&mu_);
    answered_ = true;
  }
  void Wait() {
    absl::MutexLock lock(&mu_);
    Check(mu_.AwaitWithTimeout(absl::Condition(&answered_), absl::Minutes(2)),
          "waiting for an answer");
    answered_ = false;
  }

  std::optional<FarEnd> far_;
  std::vector<Tensor> tensors_;
  int window_ = 1;
  // Used on the loop's thread during pings, else on the caller's.
  uint64_t step_ = 0;
  std::vector<double> trips_;
  int left_ = 0;
  double sent_at_ = 0;

  absl::Mutex mu_;
  bool answered_ ABSL_GUARDED_BY(mu_) = false;
};

class ChannelResponder final : public Responder, private Arrivals {
 public:
  ChannelResponder() : Arrivals(/*minds_breaks=*/false) {}
  ~ChannelResponder() override { Part(); }
  absl::Status Open(const std::string& kind, const FarSide& side,
                    const std::vector<std::string>& arguments) {
    int connections = 0;
    if (arguments.empty() || !absl::SimpleAtoi(arguments[0], &connections))
      return InvalidArgument("the number of connections is missing");
    const PairOfHosts hosts{side.own_host, side.near_host, side.near_host_id};
    SLUICE_ASSIGN(auto task, CreateChannelTask(kind, /*near=*/false, hosts, connections, this));
    SLUICE_ASSIGN(contact_, task->Offer());
    SLUICE_RETURN_IF_ERROR(task->Connect({arguments.begin() + 1, arguments.end()}));
    Join(std::move(task));
    return absl::OkStatus();
  }
  std::vector<std::string> contact() const override { return contact_; }

 private:
  void Arrived(const ParcelId& id, Parcel parcel) override {
    if (static_cast<Answer>(id.key.call) != Answer::kEcho) return;
    Reply(IdOf(id.step.number, id.key.edge, id.key.frame, Answer::kNone), std::move(parcel));
  }
  void AllArrived(const ParcelId& id) override {
    if (static_cast<Answer>(id.key.call) == Answer::kReceipt)
      Reply(IdOf(id.step.number, 0, 1, Answer::kNone), {receipt_});
  }
  void Reply(const ParcelId& id, Parcel parcel) {
    (void)channel().Send(id, std::move(parcel));  // the other end reports the error
  }

  std::vector<std::string> contact_;
  const Tensor receipt_ = Tensor::Scalar<int32_t>(1);
};

}  // namespace

absl::StatusOr<std::unique_ptr<Contender>> CreateChannelContender(const std::string& kind,
                                                                  FarProcess& far,
                                                                  int connections) {
  auto made = std::make_unique<ChannelContender>();
  SLUICE_RETURN_IF_ERROR(made->Open(kind, far, connections));
  return made;
}

absl::StatusOr<std::unique_ptr<Responder>> CreateChannelResponder(
    const std::string& kind, const FarSide& side, const std::vector<std::string>& arguments) {
  auto made = std::make_unique<ChannelResponder>();
  SLUICE_RETURN_IF_ERROR(made->Open(kind, side, arguments));
  return made;
}

}  // namespace sluice::bench
