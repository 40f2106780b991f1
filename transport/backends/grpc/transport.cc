// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/grpc/transport.h"

#include <grpcpp/completion_queue.h>

#include <utility>

#include "transport/backends/grpc/channel.h"

namespace sluice::transport {
namespace {

class GrpcTransport final : public Transport {
 public:
  explicit GrpcTransport(GrpcTransportOptions options) : options_(std::move(options)) {
    if (options_.loop == nullptr) options_.loop = std::make_shared<EventLoop>();
  }

  absl::string_view name() const override { return "grpc"; }
  bool needs_offer() const override { return false; }
  void Attach(TensorSink* sink) override { sink_ = sink; }
  absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity&) override {
    return ConnectionOffer{"grpc", "", ""};
  }
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const ConnectionOffer&) override {
    if (sink_ == nullptr) return FailedPrecondition("a sink must be attached first");
    return CreateGrpcChannel(options_.self, peer,
                             TargetAt(peer.address, options_.keepalive, options_.credentials),
                             options_.loop->queue(), 2 * options_.keepalive, sink_);
  }
  void Stop() override {}

 private:
  GrpcTransportOptions options_;  // constant after construction
  TensorSink* sink_ = nullptr;    // set once, before channels; outlives them
};

}  // namespace

std::unique_ptr<Transport> CreateGrpcTransport(const GrpcTransportOptions& options) {
  return std::make_unique<GrpcTransport>(options);
}

}  // namespace sluice::transport
