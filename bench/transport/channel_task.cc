// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/channel_task.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "transport/poll/poll_loop.h"
#include "transport/rpc/server.h"
#include "transport/selection/transport_table.h"
#include "transport/transport.h"

namespace sluice::bench {
namespace {

using transport::PollLoop;

constexpr char kNear[] = "/job:near/replica:0/task:0", kFar[] = "/job:far/replica:0/task:0";
constexpr uint64_t kIncarnation = 1;
constexpr absl::Duration kSpin = absl::Microseconds(200);

// The transports of a task share a loop, as in a server. A loop that spins exists only while it is
// used.
std::shared_ptr<PollLoop> LoopOfProcess(bool spins) {
  static auto* const loops = new std::weak_ptr<PollLoop>[2];
  std::shared_ptr<PollLoop> loop = loops[spins].lock();
  if (loop == nullptr) {
    loop = std::make_shared<PollLoop>("bench", spins ? kSpin : absl::ZeroDuration());
    loops[spins] = loop;
  }
  return loop;
}

// A transport of the table. A transport without offers has a server at its far end instead.
class TransportTask final : public ChannelTask {
 public:
  TransportTask(std::string peer, PairOfHosts hosts, transport::TransportContext context,
                std::unique_ptr<transport::Transport> transport, transport::TensorSink* sink)
      : peer_(std::move(peer)),
        hosts_(std::move(hosts)),
        context_(std::move(context)),
        transport_(std::move(transport)),
        sink_(sink) {
    transport_->Attach(sink);
  }
  ~TransportTask() override {
    if (listener_ != nullptr) listener_->Stop(absl::ZeroDuration());
    transport_->Stop();
    channel_.reset();
  }

  absl::StatusOr<std::vector<std::string>> Offer() override {
    if (!transport_->needs_offer()) return Listen();
    SLUICE_ASSIGN(const transport::ConnectionOffer given,
                  transport_->Offer({peer_, kIncarnation, hosts_.other_id}));
    return std::vector<std::string>{"1", given.transport, given.address, given.token};
  }
  absl::Status Connect(const std::vector<std::string>& offer) override {
    if (offer.size() != 4) return InvalidArgument("an offer has four parts");
    SLUICE_ASSIGN(channel_, transport_->Connect({peer_, absl::StrCat(hosts_.other, ":", offer[0])},
                                                {offer[1], offer[2], offer[3]}));
    return absl::OkStatus();
  }

 private:
  absl::StatusOr<std::vector<std::string>> Listen() {
    transport::GrpcServerOptions server;
    server.task = context_.self.task;
    server.bind_address = absl::StrCat(hosts_.own, ":0");
    server.incarnation = kIncarnation;
    server.sink = sink_;
    server.loop = context_.events;
    SLUICE_ASSIGN(listener_, transport::CreateGrpcServer(server));
    return std::vector<std::string>{absl::StrCat(listener_->port()), "", "", ""};
  }

  const std::string peer_;
  const PairOfHosts hosts_;
  const transport::TransportContext context_;
  const std::unique_ptr<transport::Transport> transport_;
  transport::TensorSink* const sink_;
  std::unique_ptr<transport::Listener> listener_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ChannelTask>> CreateChannelTask(const std::string& kind, bool near,
                                                               const PairOfHosts& hosts,
                                                               int connections,
                                                               transport::TensorSink* sink) {
  const std::string self = near ? kNear : kFar, peer = near ? kFar : kNear;
  absl::string_view name = kind;
  const bool spins = absl::ConsumeSuffix(&name, kSpinSuffix);
  const bool summed = !absl::ConsumeSuffix(&name, kUnsummedSuffix);
  const transport::StreamIdentity identity{
      .task = self, .incarnation = kIncarnation, .checksums = summed};
  const transport::TransportContext context{.self = identity,
                                            .bind_host = hosts.own,
                                            .connections = connections,
                                            .poll = LoopOfProcess(spins),
                                            .events = std::make_shared<transport::EventLoop>()};
  for (const transport::TransportRow& row : transport::AllTransports()) {
    if (row.name != name) continue;
    SLUICE_ASSIGN(auto made, row.create(context));
    return std::make_unique<TransportTask>(peer, hosts, context, std::move(made), sink);
  }
  return InvalidArgument("there is no transport \"", name, "\"");
}

}  // namespace sluice::bench
