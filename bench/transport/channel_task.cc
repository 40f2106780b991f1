// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/channel_task.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/threads/thread_pool.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/shm/transport.h"
#include "transport/backends/tcp/transport.h"
#include "transport/poll/poll_loop.h"
#include "transport/rpc/server.h"
#include "transport/transport.h"

namespace sluice::bench {
namespace {

using transport::PollLoop;

constexpr char kNear[] = "/job:near/replica:0/task:0", kFar[] = "/job:far/replica:0/task:0";
constexpr uint64_t kIncarnation = 1;
constexpr absl::Duration kSpin = absl::Microseconds(200);

// The transports of a task share a loop, as in a server; one that spins is there only while it is used.
std::shared_ptr<PollLoop> LoopOfProcess(bool spins) {
  static auto* const loops = new std::weak_ptr<PollLoop>[2];
  std::shared_ptr<PollLoop> loop = loops[spins].lock();
  if (loop == nullptr) {
    loop = std::make_shared<PollLoop>("bench", spins ? kSpin : absl::ZeroDuration());
    loops[spins] = loop;
  }
  return loop;
}

class GrpcTask final : public ChannelTask {
 public:
  GrpcTask(std::string self, std::string peer, PairOfHosts hosts, transport::TensorSink* sink)
      : self_(std::move(self)), peer_(std::move(peer)), hosts_(std::move(hosts)), sink_(sink) {}
  ~GrpcTask() override {
    if (listener_ != nullptr) listener_->Stop(absl::ZeroDuration());
    channel_.reset();
  }

  absl::StatusOr<std::vector<std::string>> Offer() override {
    const auto loop = std::make_shared<transport::EventLoop>();
    transport_ = transport::CreateGrpcTransport({.self = {self_, kIncarnation}, .loop = loop});
    transport_->Attach(sink_);
    transport::GrpcServerOptions server;
    server.task = self_;
    server.bind_address = absl::StrCat(hosts_.own, ":0");
    server.incarnation = kIncarnation;
    server.sink = sink_;
    server.loop = loop;
    SLUICE_ASSIGN(listener_, transport::CreateGrpcServer(server));
    return std::vector<std::string>{absl::StrCat(listener_->port())};
  }
  absl::Status Connect(const std::vector<std::string>& offer) override {
    SLUICE_ASSIGN(channel_,
                  transport_->Connect({peer_, absl::StrCat(hosts_.other, ":", offer.at(0))}, {}));
    return absl::OkStatus();
  }

 private:
  const std::string self_, peer_;
  const PairOfHosts hosts_;
  transport::TensorSink* const sink_;
  std::unique_ptr<transport::Transport> transport_;
  std::unique_ptr<transport::Listener> listener_;
};

class TransportTask final : public ChannelTask {
 public:
  TransportTask(std::string peer, PairOfHosts hosts,
                std::unique_ptr<transport::Transport> transport, transport::TensorSink* sink)
      : peer_(std::move(peer)), hosts_(std::move(hosts)), transport_(std::move(transport)) {
    transport_->Attach(sink);
  }
  ~TransportTask() override {
    transport_->Stop();
    channel_.reset();
  }

  absl::StatusOr<std::vector<std::string>> Offer() override {
    SLUICE_ASSIGN(const transport::ConnectionOffer given,
                  transport_->Offer({peer_, kIncarnation, hosts_.other_id}));
    return std::vector<std::string>{given.transport, given.address, given.token};
  }
  absl::Status Connect(const std::vector<std::string>& offer) override {
    if (offer.size() != 3) return InvalidArgument("an offer has three parts");
    SLUICE_ASSIGN(channel_, transport_->Connect({peer_, absl::StrCat(hosts_.other, ":1")},
                                                {offer[0], offer[1], offer[2]}));
    return absl::OkStatus();
  }

 private:
  const std::string peer_;
  const PairOfHosts hosts_;
  const std::unique_ptr<transport::Transport> transport_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ChannelTask>> CreateChannelTask(const std::string& kind, bool near,
                                                               const PairOfHosts& hosts,
                                                               int connections,
                                                               transport::TensorSink* sink) {
  const std::string self = near ? kNear : kFar, peer = near ? kFar : kNear;
  if (kind == "grpc") return std::make_unique<GrpcTask>(self, peer, hosts, sink);
  absl::string_view transport = kind;
  const bool spins = absl::ConsumeSuffix(&transport, "-spin");
  const transport::StreamIdentity identity{self, kIncarnation};
  const auto loop = LoopOfProcess(spins);
  absl::StatusOr<std::unique_ptr<transport::Transport>> made =
      transport == "shm"
          ? transport::CreateShmTransport(
                {.self = identity, .loop = loop, .copier = CreateThreadPool(1, "copier")})
          : transport::CreateTcpTransport({.self = identity,
                                           .bind_host = hosts.own,
                                           .connections = connections,
                                           .loop = loop});
  SLUICE_RETURN_IF_ERROR(made.status());
  return std::make_unique<TransportTask>(peer, hosts, *std::move(made), sink);
}

}  // namespace sluice::bench
