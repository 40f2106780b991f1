#include "transport/grpc/grpc_transport.h"

#include <grpcpp/completion_queue.h>

#include "absl/strings/strip.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/grpc_channel.h"
#include "transport/grpc/line.h"
#include "transport/grpc/remote_introducer.h"
#include "transport/grpc/remote_master.h"
#include "transport/grpc/remote_worker.h"

namespace sluice::transport {
namespace {

class TransportByGrpc final : public GrpcTransport {
 public:
  explicit TransportByGrpc(const GrpcTransportOptions& options)
      : options_(options), loop_(options.loop != nullptr ? options.loop : CreateEventLoop()) {}

  absl::string_view name() const override { return "grpc"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }

  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override {
    return CreateRemoteWorker(peer, LineTo(peer), loop_->queue());
  }
  std::unique_ptr<Introducer> ConnectIntroducer(const PeerAddress& peer) override {
    return CreateRemoteIntroducer(absl::StrCat(peer.task, " at ", peer.address), LineTo(peer),
                                  loop_->queue());
  }
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    if (sink_ == nullptr)
      return FailedPrecondition("a sink must be attached before channels are made");
    return CreateGrpcChannel(options_, peer, LineTo(peer), loop_->queue(), sink_);
  }

 private:
  Line LineTo(const PeerAddress& peer) const {
    return OpenLine(peer.address, options_.keepalive, options_.credentials);
  }

  const GrpcTransportOptions options_;
  TensorSink* sink_ = nullptr;  // set once, before channels; outlives them
  const std::shared_ptr<EventLoop> loop_;
};

constexpr absl::Duration kClientKeepalive = absl::Seconds(10);

absl::StatusOr<std::string> AddressOf(const std::string& target) {
  const absl::string_view address = absl::StripPrefix(target, "grpc://");
  if (address.find(':') == absl::string_view::npos)
    return InvalidArgument("target \"", target, "\" must be grpc://host:port");
  return std::string(address);
}

}  // namespace

std::shared_ptr<EventLoop> CreateEventLoop() { return std::make_shared<EventLoop>(); }

absl::StatusOr<std::unique_ptr<GrpcTransport>> CreateGrpcTransport(
    const GrpcTransportOptions& options) {
  return std::make_unique<TransportByGrpc>(options);
}

absl::StatusOr<std::unique_ptr<MasterApi>> ConnectGrpcMaster(const std::string& target,
                                                             const Credentials& credentials) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemoteMaster(address, OpenLine(address, kClientKeepalive, credentials));
}

absl::StatusOr<std::unique_ptr<Introducer>> ConnectGrpcIntroducer(const std::string& target,
                                                                  const Credentials& credentials) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemoteIntroducer(absl::StrCat("the task at ", address),
                                OpenLine(address, kClientKeepalive, credentials));
}

}  // namespace sluice::transport
