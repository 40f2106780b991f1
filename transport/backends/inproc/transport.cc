// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/inproc/transport.h"

#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/synchronization/mutex.h"
#include "transport/backends/inproc/endpoint.h"

namespace sluice::transport {
namespace {

// Gives the name of the transport of a peer's tensors. It has no messages to send back.
class InprocPath final : public ReturnPath {
 public:
  void Pull(const ParcelId&) override {}
  void Consumed(const StepId&, int64_t) override {}
  void EndStep(const StepId&) override {}
  void Replaced() override {}
  const std::string& transport() const override { return transport_; }

 private:
  const std::string transport_ = "inproc";
};

// The endpoints of this process, by the incarnation of their servers.
//
// Threads:  any.
class EndpointTable {
 public:
  static EndpointTable& OfProcess() {
    static EndpointTable table;
    return table;
  }
  void Add(uint64_t incarnation, std::weak_ptr<Endpoint> endpoint) {
    absl::MutexLock lock(&mu_);
    endpoints_[incarnation] = std::move(endpoint);
  }
  void Remove(uint64_t incarnation) {
    absl::MutexLock lock(&mu_);
    endpoints_.erase(incarnation);
  }
  // Null if the server is in another process, or has stopped.
  std::shared_ptr<Endpoint> Find(uint64_t incarnation) const {
    absl::MutexLock lock(&mu_);
    auto it = endpoints_.find(incarnation);
    return it == endpoints_.end() ? nullptr : it->second.lock();
  }

 private:
  mutable absl::Mutex mu_;
  absl::flat_hash_map<uint64_t, std::weak_ptr<Endpoint>> endpoints_ ABSL_GUARDED_BY(mu_);
};

class InprocChannel final : public TensorChannel {
 public:
  // `name` is this task's name at the peer.
  InprocChannel(std::string name, const PeerAddress& peer, std::shared_ptr<Endpoint> endpoint,
                PollLoop* loop, TensorSink* sink)
      : name_(std::move(name)),
        peer_(peer.task),
        endpoint_(std::move(endpoint)),
        path_(std::make_shared<InprocPath>()),
        caller_(std::make_shared<Caller>(loop, peer.task, sink, [this](uint64_t call) {
          endpoint_->CancelRun(caller_.get(), call);
        })) {}
  ~InprocChannel() override {
    caller_->HangUp();
    endpoint_->Leave(name_, path_, caller_.get());
  }

  bool Enter() { return endpoint_->Enter(name_, path_, caller_); }
  absl::Status Send(const ParcelId& id, Parcel parcel) override {
    return endpoint_->Deliver(name_, id, std::move(parcel)) ? absl::OkStatus() : caller_->Gone();
  }
  // awaits_runs stays false: a peer in this process needs no liveness probes.
  absl::Status Run(const RunGraph& request, const CallOptions& options,
                   Reply<RunGraphResult>& done) override {
    if (endpoint_->closed()) return caller_->Gone();
    const uint64_t call = caller_->calls().Begin(options.cancel, std::move(done));
    if (!endpoint_->Run(caller_, call, request, options.deadline))
      caller_->calls().Answered(call, caller_->Gone());
    return absl::OkStatus();
  }
  std::string ToString() const override {
    return absl::StrCat("inproc to ", peer_, " in this process");
  }

 private:
  const std::string name_, peer_;
  const std::shared_ptr<Endpoint> endpoint_;
  const Endpoint::Path path_;
  const std::shared_ptr<Caller> caller_;
};

class InprocTransport final : public Transport {
 public:
  explicit InprocTransport(InprocTransportOptions options)
      : options_(std::move(options)), endpoint_(std::make_shared<Endpoint>(options_.loop.get())) {
    EndpointTable::OfProcess().Add(options_.self.incarnation, endpoint_);
  }
  ~InprocTransport() override { Stop(); }

  absl::string_view name() const override { return "inproc"; }
  bool rare() const override { return true; }
  void Attach(TensorSink* sink) override {
    sink_ = sink;
    endpoint_->Open(sink);
  }
  absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity& peer) override {
    if (EndpointTable::OfProcess().Find(peer.incarnation) == nullptr)
      return Unavailable(peer.task, " is in another process");
    if (endpoint_->closed()) return Unavailable(options_.self.task, " is stopping");
    return ConnectionOffer{"inproc", absl::StrCat(options_.self.incarnation), ""};
  }
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const ConnectionOffer& offer) override {
    uint64_t incarnation = 0;
    if (!absl::SimpleAtoi(offer.address, &incarnation))
      return InvalidArgument("malformed connection offer \"", offer.address, "\"");
    auto endpoint = EndpointTable::OfProcess().Find(incarnation);
    if (endpoint == nullptr) return Unavailable("task ", peer.task, " is not in this process");
    auto channel =
        std::make_unique<InprocChannel>(peer.as.empty() ? options_.self.task : peer.as, peer,
                                        std::move(endpoint), options_.loop.get(), sink_);
    if (!channel->Enter()) return Unavailable("task ", peer.task, " in this process has stopped");
    return channel;
  }
  void Stop() override {
    EndpointTable::OfProcess().Remove(options_.self.incarnation);
    endpoint_->Close();
  }

 private:
  const InprocTransportOptions options_;
  const std::shared_ptr<Endpoint> endpoint_;
  TensorSink* sink_ = nullptr;
};

}  // namespace

std::unique_ptr<Transport> CreateInprocTransport(const InprocTransportOptions& options) {
  return std::make_unique<InprocTransport>(options);
}

}  // namespace sluice::transport
