#include "transport/grpc/grpc_transport.h"

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include "absl/strings/strip.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/grpc_channel.h"
#include "transport/grpc/remote_introducer.h"
#include "transport/grpc/remote_master.h"
#include "transport/grpc/remote_worker.h"

namespace sluice::transport {
namespace {

std::shared_ptr<grpc::Channel> Connect(const std::string& address, absl::Duration keepalive) {
  grpc::ChannelArguments args;
  args.SetMaxReceiveMessageSize(-1);
  args.SetMaxSendMessageSize(-1);
  args.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  args.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(absl::ToInt64Milliseconds(keepalive)));
  args.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
              static_cast<int>(absl::ToInt64Milliseconds(keepalive)));
  args.SetInt(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  args.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  args.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  args.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  args.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 100);
  args.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL,
              1);  // a connection of its own for each channel object
  args.SetInt(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, 16777215);
  args.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  args.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 << 20);
  return grpc::CreateCustomChannel(absl::StrCat("dns:///", address),
                                   grpc::InsecureChannelCredentials(), args);
}

class TransportByGrpc final : public GrpcTransport {
 public:
  explicit TransportByGrpc(const GrpcTransportOptions& options)
      : options_(options), loop_(options.loop != nullptr ? options.loop : CreateEventLoop()) {}

  absl::string_view name() const override { return "grpc"; }
  void Attach(TensorSink* sink) override { sink_ = sink; }

  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override {
    return CreateRemoteWorker(peer, Connect(peer.address, options_.keepalive), loop_->queue());
  }
  std::unique_ptr<Introducer> ConnectIntroducer(const PeerAddress& peer) override {
    return CreateRemoteIntroducer(absl::StrCat(peer.task, " at ", peer.address),
                                  Connect(peer.address, options_.keepalive), loop_->queue());
  }
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    if (sink_ == nullptr)
      return FailedPrecondition("a sink must be attached before channels are made");
    return CreateGrpcChannel(options_, peer, Connect(peer.address, options_.keepalive),
                             loop_->queue(), sink_);
  }

 private:
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

absl::StatusOr<std::unique_ptr<MasterApi>> ConnectGrpcMaster(const std::string& target) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemoteMaster(address, Connect(address, kClientKeepalive));
}

absl::StatusOr<std::unique_ptr<Introducer>> ConnectGrpcIntroducer(const std::string& target) {
  SLUICE_ASSIGN(const std::string address, AddressOf(target));
  return CreateRemoteIntroducer(absl::StrCat("the task at ", address),
                                Connect(address, kClientKeepalive));
}

}  // namespace sluice::transport
