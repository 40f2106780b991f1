#include "transport/null/null_transport.h"

#include <random>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"

namespace sluice::transport {
namespace {

// What all channels and workers of one transport share.
struct Fate {
  explicit Fate(const NullTransportOptions& o) : options(o), random(o.seed) {}
  const NullTransportOptions options;
  mutable absl::Mutex mu;
  std::mt19937_64 random ABSL_GUARDED_BY(mu);
  absl::flat_hash_map<std::string, absl::Status> failed ABSL_GUARDED_BY(mu);
  int64_t dropped ABSL_GUARDED_BY(mu) = 0;

  absl::Status Of(const std::string& peer) const {
    absl::MutexLock lock(&mu);
    auto it = failed.find(peer);
    return it == failed.end() ? absl::OkStatus() : it->second;
  }
  bool Drops() {
    absl::MutexLock lock(&mu);
    const bool drop = std::uniform_real_distribution<double>(0, 1)(random) < options.drop;
    dropped += drop;
    return drop;
  }
};

class NullChannel final : public TensorChannel {
 public:
  NullChannel(std::shared_ptr<Fate> fate, std::string peer, std::shared_ptr<TensorChannel> inner)
      : fate_(std::move(fate)), peer_(std::move(peer)), inner_(std::move(inner)) {}

  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    SLUICE_RETURN_IF_ERROR(fate_->Of(peer_));
    if (fate_->Drops() || inner_ == nullptr) return absl::OkStatus();
    if (fate_->options.delay == nullptr) return inner_->Send(id, std::move(parcel));
    fate_->options.delay->Schedule([inner = inner_, id, parcel = std::move(parcel)]() mutable {
      (void)inner->Send(id, std::move(parcel));  // a break is told to the sink
    });
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
  const std::shared_ptr<TensorChannel> inner_;  // shared with what is delayed
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
