#include "bench/transport/channel_task.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/threads/thread_pool.h"
#include "transport/grpc/grpc_server.h"
#include "transport/grpc/grpc_transport.h"
#include "transport/poll/poll_loop.h"
#include "transport/road.h"
#include "transport/shm/shm_road.h"
#include "transport/tcp/tcp_road.h"

namespace sluice::bench {
namespace {

using transport::PollLoop;

constexpr char kNear[] = "/job:near/replica:0/task:0", kFar[] = "/job:far/replica:0/task:0";
constexpr uint64_t kIncarnation = 1;
constexpr absl::Duration kSpin = absl::Microseconds(200);

// The roads of a task share a loop, as in a server; one that spins is there only while it is used.
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

  absl::StatusOr<std::vector<std::string>> Invite() override {
    const auto loop = transport::CreateEventLoop();
    transport::GrpcTransportOptions options;
    options.task = self_;
    options.incarnation = kIncarnation;
    options.loop = loop;
    SLUICE_ASSIGN(transport_, transport::CreateGrpcTransport(options));
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
  absl::Status Connect(const std::vector<std::string>& invitation) override {
    SLUICE_ASSIGN(channel_, transport_->ConnectChannel(
                                {peer_, absl::StrCat(hosts_.other, ":", invitation.at(0))}));
    return absl::OkStatus();
  }

 private:
  const std::string self_, peer_;
  const PairOfHosts hosts_;
  transport::TensorSink* const sink_;
  std::unique_ptr<transport::Transport> transport_;
  std::unique_ptr<transport::Listener> listener_;
};

class RoadTask final : public ChannelTask {
 public:
  RoadTask(std::string peer, PairOfHosts hosts, std::unique_ptr<transport::Road> road,
           transport::TensorSink* sink)
      : peer_(std::move(peer)), hosts_(std::move(hosts)), road_(std::move(road)) {
    road_->Attach(sink);
  }
  ~RoadTask() override {
    road_->Stop();
    channel_.reset();
  }

  absl::StatusOr<std::vector<std::string>> Invite() override {
    SLUICE_ASSIGN(const transport::Invitation given,
                  road_->Invite({peer_, kIncarnation, hosts_.other_id}));
    return std::vector<std::string>{given.road, given.address, given.token};
  }
  absl::Status Connect(const std::vector<std::string>& invitation) override {
    if (invitation.size() != 3) return InvalidArgument("an invitation has three parts");
    SLUICE_ASSIGN(channel_, road_->Connect({peer_, absl::StrCat(hosts_.other, ":1")},
                                           {invitation[0], invitation[1], invitation[2]}));
    return absl::OkStatus();
  }

 private:
  const std::string peer_;
  const PairOfHosts hosts_;
  const std::unique_ptr<transport::Road> road_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ChannelTask>> CreateChannelTask(const std::string& kind, bool near,
                                                               const PairOfHosts& hosts,
                                                               int connections,
                                                               transport::TensorSink* sink) {
  const std::string self = near ? kNear : kFar, peer = near ? kFar : kNear;
  if (kind == "grpc") return std::make_unique<GrpcTask>(self, peer, hosts, sink);
  absl::string_view road = kind;
  const bool spins = absl::ConsumeSuffix(&road, "-spin");
  const transport::StreamIdentity identity{self, kIncarnation};
  const auto loop = LoopOfProcess(spins);
  absl::StatusOr<std::unique_ptr<transport::Road>> made =
      road == "shm" ? transport::CreateShmRoad(
                          {.self = identity, .loop = loop, .copier = CreateThreadPool(1, "copier")})
                    : transport::CreateTcpRoad({.self = identity,
                                                .bind_host = hosts.own,
                                                .connections = connections,
                                                .loop = loop});
  SLUICE_RETURN_IF_ERROR(made.status());
  return std::make_unique<RoadTask>(peer, hosts, *std::move(made), sink);
}

}  // namespace sluice::bench
