#include "transport/null/null_transport.h"

#include <deque>
#include <random>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace sluice::transport {
namespace {

// The shared state of all channels and workers of one transport.
struct Fate {
  explicit Fate(const NullTransportOptions& o) : options(o) {}
  const NullTransportOptions options;
  mutable absl::Mutex mu;
  absl::flat_hash_map<std::string, absl::Status> failed ABSL_GUARDED_BY(mu);
  int64_t dropped ABSL_GUARDED_BY(mu) = 0, changed ABSL_GUARDED_BY(mu) = 0;

  absl::Status Of(const std::string& peer) const {
    absl::MutexLock lock(&mu);
    auto it = failed.find(peer);
    return it == failed.end() ? absl::OkStatus() : it->second;
  }
  Misfortune Of(const ParcelId& id) {
    const Misfortune misfortune = MisfortuneOf(options.shares, id);
    absl::MutexLock lock(&mu);
    dropped += misfortune.drop;
    changed += !misfortune.drop && (misfortune.corrupt || misfortune.misshape);
    return misfortune;
  }
};

// Tensors of one channel that go on later: each task of the queue sends one of them.
//
// Owner:    the channel, and the tasks.
// Threads:  any.
class Delayed {
 public:
  Delayed(const NullTransportOptions& options, std::shared_ptr<TensorChannel> inner)
      : reorder_(options.reorder), inner_(std::move(inner)), random_(options.shares.seed) {}

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
    (void)inner_->Send(next.first, std::move(next.second));  // the sink learns of a break
  }

 private:
  const bool reorder_;
  const std::shared_ptr<TensorChannel> inner_;
  absl::Mutex mu_;
  std::mt19937_64 random_ ABSL_GUARDED_BY(mu_);
  std::deque<std::pair<ParcelId, Parcel>> waiting_ ABSL_GUARDED_BY(mu_);
};

class NullChannel final : public TensorChannel {
 public:
  NullChannel(std::shared_ptr<Fate> fate, std::string peer, std::shared_ptr<TensorChannel> inner)
      : fate_(std::move(fate)),
        peer_(std::move(peer)),
        inner_(std::move(inner)),
        delayed_(std::make_shared<Delayed>(fate_->options, inner_)) {}

  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    SLUICE_RETURN_IF_ERROR(fate_->Of(peer_));
    const Misfortune misfortune = fate_->Of(id);
    if (misfortune.drop || inner_ == nullptr) return absl::OkStatus();
    SLUICE_ASSIGN(parcel, Befallen(misfortune, parcel));
    if (fate_->options.delay == nullptr) return inner_->Send(id, std::move(parcel));
    delayed_->Add(id, std::move(parcel));
    fate_->options.delay->Schedule([delayed = delayed_] { delayed->SendOne(); });
    return absl::OkStatus();
  }
  void Pull(const ParcelId& id) override {
    if (inner_ != nullptr) inner_->Pull(id);
  }
  void Consumed(const StepId& step, int64_t bytes) override {
    if (inner_ != nullptr) inner_->Consumed(step, bytes);
  }
  void EndStep(const StepId& step) override {
    if (inner_ != nullptr) inner_->EndStep(step);
  }
  std::string ToString() const override {
    return inner_ == nullptr ? absl::StrCat("null to ", peer_)
                             : absl::StrCat("null over ", inner_->ToString());
  }

 private:
  const std::shared_ptr<Fate> fate_;
  const std::string peer_;
  const std::shared_ptr<TensorChannel> inner_;
  const std::shared_ptr<Delayed> delayed_;
};

class NullWorker final : public WorkerApi {
 public:
  NullWorker(std::shared_ptr<Fate> fate, std::string peer, std::unique_ptr<WorkerApi> inner)
      : fate_(std::move(fate)), peer_(std::move(peer)), inner_(std::move(inner)) {}

  void GetStatus(const CallOptions& options, Reply<TaskStatus> done) override {
    if (Up(done)) inner_->GetStatus(options, std::move(done));
  }
  void CreateSession(const CreateWorkerSession& request, const CallOptions& options,
                     Ack done) override {
    if (Up(done)) inner_->CreateSession(request, options, std::move(done));
  }
  void DeleteSession(const std::string& session, const CallOptions& options, Ack done) override {
    if (Up(done)) inner_->DeleteSession(session, options, std::move(done));
  }
  void Register(const RegisterGraph& request, const CallOptions& options,
                Reply<uint64_t> done) override {
    if (Up(done)) inner_->Register(request, options, std::move(done));
  }
  void Deregister(const std::string& session, uint64_t graph, const CallOptions& options,
                  Ack done) override {
    if (Up(done)) inner_->Deregister(session, graph, options, std::move(done));
  }
  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    if (Up(done)) inner_->Run(std::move(request), options, std::move(done));
  }
  void ClearContainers(const std::vector<std::string>& containers, const CallOptions& options,
                       Ack done) override {
    if (Up(done)) inner_->ClearContainers(containers, options, std::move(done));
  }

 private:
  // Answers `done` itself when the peer is to fail.
  template <typename Done>
  bool Up(Done& done) const {
    absl::Status status = fate_->Of(peer_);
    if (status.ok() && inner_ == nullptr)
      status = Unavailable("task ", peer_, ": nothing is behind the null transport");
    if (!status.ok()) done(status);
    return status.ok();
  }

  const std::shared_ptr<Fate> fate_;
  const std::string peer_;
  const std::unique_ptr<WorkerApi> inner_;
};

class FailingTransport final : public NullTransport {
 public:
  FailingTransport(const NullTransportOptions& options, std::unique_ptr<Transport> inner)
      : fate_(std::make_shared<Fate>(options)), inner_(std::move(inner)) {}

  absl::string_view name() const override { return "null"; }
  void Attach(TensorSink* sink) override {
    sink_ = sink;
    if (inner_ != nullptr) inner_->Attach(sink);
  }
  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override {
    std::unique_ptr<WorkerApi> inner;
    if (inner_ != nullptr) {
      SLUICE_ASSIGN(inner, inner_->ConnectWorker(peer));
    }
    return std::make_unique<NullWorker>(fate_, peer.task, std::move(inner));
  }
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    std::shared_ptr<TensorChannel> inner;
    if (inner_ != nullptr) {
      SLUICE_ASSIGN(inner, inner_->ConnectChannel(peer));
    }
    return std::make_unique<NullChannel>(fate_, peer.task, std::move(inner));
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
  const std::unique_ptr<Transport> inner_;
  TensorSink* sink_ = nullptr;  // set once, before channels
};

}  // namespace

absl::StatusOr<std::unique_ptr<NullTransport>> CreateNullTransport(
    const NullTransportOptions& options, std::unique_ptr<Transport> inner) {
  return std::make_unique<FailingTransport>(options, std::move(inner));
}

}  // namespace sluice::transport
