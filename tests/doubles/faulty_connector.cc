// SPDX-License-Identifier: Apache-2.0
#include "tests/doubles/faulty_connector.h"

#include <deque>
#include <random>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/forwarding_worker.h"

namespace sluice::transport {
namespace {

// The shared state of all channels and workers of one transport.
struct Fate {
  explicit Fate(const FaultyConnectorOptions& o) : options(o) {}
  const FaultyConnectorOptions options;
  mutable absl::Mutex mu;
  absl::flat_hash_map<std::string, absl::Status> failed ABSL_GUARDED_BY(mu);
  int64_t dropped ABSL_GUARDED_BY(mu) = 0, changed ABSL_GUARDED_BY(mu) = 0;

  absl::Status Of(const std::string& peer) const {
    absl::MutexLock lock(&mu);
    auto it = failed.find(peer);
    return it == failed.end() ? absl::OkStatus() : it->second;
  }
  Fault Of(const ParcelId& id) {
    const Fault fault = FaultOf(options.rates, id);
    absl::MutexLock lock(&mu);
    dropped += fault.drop;
    changed += !fault.drop && (fault.corrupt || fault.misshape);
    return fault;
  }
};

// Delayed tensors of one channel: each task of the queue sends one of them.
//
// Owner:    the channel, and the tasks.
// Threads:  any.
class Delayed {
 public:
  Delayed(const FaultyConnectorOptions& options, std::shared_ptr<TensorChannel> inner)
      : reorder_(options.reorder), inner_(std::move(inner)), random_(options.rates.seed) {}

  void Add(const ParcelId& id, Parcel parcel) {
    absl::MutexLock lock(&mu_);
    waiting_.emplace_back(id, std::move(parcel));
  }
  void SendOne() {
    std::pair<ParcelId, Parcel> next;
    {
      absl::MutexLock lock(&mu_);
      const size_t which = reorder_ ? random_() % waiting_.size() : 0;
      next = std::move(waiting_[which]);
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    (void)inner_->Send(next.first, std::move(next.second));  // the sink gets the error
  }

 private:
  const bool reorder_;
  const std::shared_ptr<TensorChannel> inner_;
  absl::Mutex mu_;
  std::mt19937_64 random_ ABSL_GUARDED_BY(mu_);
  std::deque<std::pair<ParcelId, Parcel>> waiting_ ABSL_GUARDED_BY(mu_);
};

class FaultyChannel final : public TensorChannel {
 public:
  FaultyChannel(std::shared_ptr<Fate> fate, std::string peer, std::shared_ptr<TensorChannel> inner)
      : fate_(std::move(fate)),
        peer_(std::move(peer)),
        inner_(std::move(inner)),
        delayed_(std::make_shared<Delayed>(fate_->options, inner_)) {}

  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    SLUICE_RETURN_IF_ERROR(fate_->Of(peer_));
    const Fault fault = fate_->Of(id);
    if (fault.drop || inner_ == nullptr) return absl::OkStatus();
    SLUICE_ASSIGN(parcel, InjectFault(fault, parcel));
    if (fate_->options.delay == nullptr) return inner_->Send(id, std::move(parcel));
    delayed_->Add(id, std::move(parcel));
    fate_->options.delay->Schedule([delayed = delayed_] { delayed->SendOne(); });
    return absl::OkStatus();
  }
  void EndStep(const StepId& step) override {
    if (inner_ != nullptr) inner_->EndStep(step);
  }
  std::string ToString() const override {
    return inner_ == nullptr ? absl::StrCat("faulty to ", peer_)
                             : absl::StrCat("faulty over ", inner_->ToString());
  }

 private:
  const std::shared_ptr<Fate> fate_;
  const std::string peer_;
  const std::shared_ptr<TensorChannel> inner_;
  const std::shared_ptr<Delayed> delayed_;
};

class FaultyWorker final : public ForwardingWorker {
 public:
  FaultyWorker(std::shared_ptr<Fate> fate, std::string peer, std::unique_ptr<WorkerApi> inner)
      : fate_(std::move(fate)), peer_(std::move(peer)), inner_(std::move(inner)) {}

 private:
  absl::StatusOr<WorkerApi*> To() const override {
    SLUICE_RETURN_IF_ERROR(fate_->Of(peer_));
    if (inner_ == nullptr)
      return Unavailable("task ", peer_, ": nothing is behind the faulty connector");
    return inner_.get();
  }

  const std::shared_ptr<Fate> fate_;
  const std::string peer_;
  const std::unique_ptr<WorkerApi> inner_;
};

class FailingConnector final : public FaultyConnector {
 public:
  FailingConnector(const FaultyConnectorOptions& options, std::unique_ptr<Connector> inner)
      : fate_(std::make_shared<Fate>(options)), inner_(std::move(inner)) {}

  void Attach(TensorSink* sink) override {
    sink_ = sink;
    if (inner_ != nullptr) inner_->Attach(sink);
  }
  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override {
    std::unique_ptr<WorkerApi> inner;
    if (inner_ != nullptr) {
      SLUICE_ASSIGN(inner, inner_->ConnectWorker(peer));
    }
    return std::make_unique<FaultyWorker>(fate_, peer.task, std::move(inner));
  }
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    std::shared_ptr<TensorChannel> inner;
    if (inner_ != nullptr) {
      SLUICE_ASSIGN(inner, inner_->ConnectChannel(peer));
    }
    return std::make_unique<FaultyChannel>(fate_, peer.task, std::move(inner));
  }

  void Fail(const std::string& peer, const absl::Status& status) override {
    {
      absl::MutexLock lock(&fate_->mu);
      if (status.ok())
        fate_->failed.erase(peer);
      else
        fate_->failed[peer] = status;
    }
    if (!status.ok() && sink_ != nullptr) sink_->Broken(peer, status);
  }
  int64_t dropped() const override {
    absl::MutexLock lock(&fate_->mu);
    return fate_->dropped;
  }
  int64_t changed() const override {
    absl::MutexLock lock(&fate_->mu);
    return fate_->changed;
  }

 private:
  const std::shared_ptr<Fate> fate_;
  const std::unique_ptr<Connector> inner_;
  TensorSink* sink_ = nullptr;  // set once, before channels
};

}  // namespace

absl::StatusOr<std::unique_ptr<FaultyConnector>> CreateFaultyConnector(
    const FaultyConnectorOptions& options, std::unique_ptr<Connector> inner) {
  return std::make_unique<FailingConnector>(options, std::move(inner));
}

}  // namespace sluice::transport
