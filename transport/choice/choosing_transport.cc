#include "transport/choice/choosing_transport.h"

#include <algorithm>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/mutex.h"
#include "core/threads/timer.h"
#include "transport/choice/chosen_channel.h"
#include "transport/choice/road_worker.h"

namespace sluice::transport {
namespace {

constexpr char kNotAllowed[] = "its configuration does not allow it";

// Empty: it is none of these.
std::string ReasonOf(const std::vector<RefusedRoad>& refused, const std::string& road) {
  for (const RefusedRoad& one : refused) {
    if (one.road == road) return one.why;
  }
  return "";
}

// Collects the choices for all peers of a task, and reports them when all are known.
//
// Owner:    what is asked of the peers.
// Threads:  any.
class Choices {
 public:
  Choices(std::string task, size_t peers, Reply<TaskRoads> done)
      : done_(std::move(done)),
        missing_(peers),
        roads_{std::move(task), std::vector<RoadChoice>(peers)} {}

  void Set(size_t peer, RoadChoice choice) {
    TaskRoads all;
    {
      absl::MutexLock lock(&mu_);
      roads_.choices[peer] = std::move(choice);
      if (--missing_ > 0) return;
      all = std::move(roads_);
    }
    done_(std::move(all));
  }
  // One choice will not be set: the others do not end the list without it.
  void Fail(const absl::Status& why) { done_(why); }

 private:
  Reply<TaskRoads> done_;
  absl::Mutex mu_;
  size_t missing_ ABSL_GUARDED_BY(mu_);
  TaskRoads roads_ ABSL_GUARDED_BY(mu_);
};

class Chooser final : public ChoosingTransport {
 public:
  explicit Chooser(ChoiceOptions options) : options_(std::move(options)) {}
  ~Chooser() override { Stop(); }

  absl::string_view name() const override { return "choice"; }
  void Attach(TensorSink* sink) override {
    sink_ = sink;
    options_.grpc->Attach(sink);
    for (const auto& road : options_.roads) road->Attach(sink);
  }
  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) override;
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    return ChannelTo(peer);
  }
  void Stop() override;

  void Introduce(const Introduction& introduction, const CallOptions& options,
                 Reply<Welcome> done) override;
  void ListRoads(const CallOptions& options, Reply<TaskRoads> done) override;

 private:
  using ChannelKey = std::pair<std::string, std::string>;  // the peer, and how we are called there

  // The transports that tensors to `peer` may take, the best first.
  const RoadNames& RoadsTo(const PeerAddress& peer) const {
    return peer.roads.empty() ? options_.preferred : peer.roads;
  }
  Introduction IntroductionTo(const PeerAddress& peer) const;
  std::shared_ptr<ChosenChannel> ChannelTo(const PeerAddress& peer);
  absl::StatusOr<std::shared_ptr<TensorChannel>> Choose(const PeerAddress& peer,
                                                        const absl::StatusOr<Welcome>& welcome,
                                                        RoadChoice* choice);
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectBy(const std::string& road,
                                                           const PeerAddress& peer,
                                                           const Welcome& welcome);
  Road* Find(absl::string_view name) const {
    for (const auto& road : options_.roads) {
      if (road->name() == name) return road.get();
    }
    return nullptr;
  }

  const ChoiceOptions options_;
  TensorSink* sink_ = nullptr;
  Timer timer_;
  absl::Mutex mu_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_map<ChannelKey, std::weak_ptr<ChosenChannel>> channels_ ABSL_GUARDED_BY(mu_);
  std::vector<std::shared_ptr<ChosenChannel>> listed_ ABSL_GUARDED_BY(mu_);  // until Stop
};

Introduction Chooser::IntroductionTo(const PeerAddress& peer) const {
  Introduction introduction;
  introduction.visitor = {peer.as.empty() ? options_.task : peer.as, options_.incarnation,
                          HostId()};
  introduction.to = peer.task;
  for (const std::string& name : RoadsTo(peer)) {
    if (Find(name) != nullptr) introduction.roads.push_back(name);
  }
  return introduction;
}

absl::StatusOr<std::unique_ptr<WorkerApi>> Chooser::ConnectWorker(const PeerAddress& peer) {
  SLUICE_ASSIGN(auto direct, options_.grpc->ConnectWorker(peer));
  const bool ours =
      peer.as.empty() && std::any_of(options_.peers.begin(), options_.peers.end(),
                                     [&](const auto& known) { return known.task == peer.task; });
  if (!ours) return direct;  // of a session with its own cluster; ends with it
  Introduction introduction = IntroductionTo(peer);
  introduction.roads.clear();
  return CreateRoadWorker({std::move(direct), ChannelTo(peer), options_.introduce(peer),
                           std::move(introduction), &timer_});
}

std::shared_ptr<ChosenChannel> Chooser::ChannelTo(const PeerAddress& peer) {
  absl::MutexLock lock(&mu_);
  absl::erase_if(channels_, [](const auto& item) { return item.second.expired(); });
  std::weak_ptr<ChosenChannel>& known = channels_[{peer.task, peer.as}];
  if (auto channel = known.lock()) return channel;
  Introduction introduction = IntroductionTo(peer);
  auto introducer = introduction.roads.empty() ? nullptr : options_.introduce(peer);
  auto channel = std::make_shared<ChosenChannel>(
      std::move(introduction), peer, std::move(introducer),
      [this](const PeerAddress& to, const absl::StatusOr<Welcome>& welcome, RoadChoice* choice) {
        return Choose(to, welcome, choice);
      },
      sink_);
  known = channel;
  return channel;
}

void Chooser::Stop() {
  std::vector<std::shared_ptr<ChosenChannel>> listed;  // these die outside the lock
  {
    absl::MutexLock lock(&mu_);
    stopped_ = true;
    listed.swap(listed_);
  }
  for (const auto& road : options_.roads) road->Stop();
}

absl::StatusOr<std::shared_ptr<TensorChannel>> Chooser::Choose(
    const PeerAddress& peer, const absl::StatusOr<Welcome>& welcome, RoadChoice* choice) {
  // An unreachable peer is down; a peer that does not know the handshake has gRPC.
  if (absl::IsUnavailable(welcome.status()) || absl::IsDeadlineExceeded(welcome.status()))
    return Unavailable("task ", peer.task, " at ", peer.address, ": ", welcome.status().message());
  const Welcome given = welcome.ok() ? *welcome : Welcome();
  for (const std::string& road : RoadsTo(peer)) {
    if (!ReasonOf(choice->passed_over, road).empty()) continue;
    auto channel = ConnectBy(road, peer, given);
    if (channel.ok()) {
      choice->road = road;
      return channel;
    }
    const bool refused = welcome.ok() || road == kGrpcRoad;
    const Road* const mine = Find(road);
    choice->passed_over.push_back(
        {road, std::string((refused ? channel.status() : welcome.status()).message()),
         mine != nullptr && mine->rare()});
  }
  return Unavailable(
      "task ", peer.task, " at ", peer.address, ": no transport to it is left: ",
      absl::StrJoin(choice->passed_over, "; ", [](std::string* out, const RefusedRoad& one) {
        absl::StrAppend(out, one.road, ": ", one.why);
      }));
}

absl::StatusOr<std::shared_ptr<TensorChannel>> Chooser::ConnectBy(const std::string& road,
                                                                  const PeerAddress& peer,
                                                                  const Welcome& welcome) {
  if (!Has(options_.preferred, road))
    return Unavailable(options_.task, ": ", kNotAllowed);  // for any request of a session
  if (road == kGrpcRoad) return options_.grpc->ConnectChannel(peer);
  Road* const mine = Find(road);
  if (mine == nullptr) return Unavailable(options_.task, ": ", ReasonOf(options_.missing, road));
  for (const Invitation& invitation : welcome.invitations) {
    if (invitation.road == road) return mine->Connect(peer, invitation);
  }
  const std::string why = ReasonOf(welcome.refused, road);
  return Unavailable(peer.task, ": ", why.empty() ? "it does not have this transport" : why);
}

void Chooser::Introduce(const Introduction& introduction, const CallOptions&, Reply<Welcome> done) {
  if (introduction.to != options_.task && !sink_->KnownAs(introduction.to))
    return done(FailedPrecondition("expected ", introduction.to, ", found ", options_.task));
  Welcome welcome;
  for (const std::string& name : introduction.roads) {
    Road* const road = Find(name);
    absl::StatusOr<Invitation> invitation =
        !Has(options_.preferred, name) ? Unavailable(kNotAllowed)
        : road == nullptr              ? Unavailable(ReasonOf(options_.missing, name))
                                       : road->Invite(introduction.visitor);
    if (invitation.ok())
      welcome.invitations.push_back(*std::move(invitation));
    else
      welcome.refused.push_back({name, std::string(invitation.status().message())});
  }
  done(std::move(welcome));
}

void Chooser::ListRoads(const CallOptions&, Reply<TaskRoads> done) {
  if (options_.peers.empty()) return done(TaskRoads{options_.task, {}});
  auto choices = std::make_shared<Choices>(options_.task, options_.peers.size(), std::move(done));
  for (size_t i = 0; i < options_.peers.size(); ++i) {
    const PeerAddress& peer = options_.peers[i];
    const std::shared_ptr<ChosenChannel> channel = ChannelTo(peer);
    bool stopped = false;
    {
      // It waits for its answers when it goes, which no answer may do.
      absl::MutexLock lock(&mu_);
      stopped = stopped_;
      if (!stopped && std::find(listed_.begin(), listed_.end(), channel) == listed_.end())
        listed_.push_back(channel);
    }
    if (stopped) return choices->Fail(Unavailable(options_.task, " is stopping"));
    channel->WhenChosen([choices, i, peer](absl::StatusOr<RoadChoice> choice) {
      if (!choice.ok())
        choice = RoadChoice{
            peer.task, "", {{"any", std::string(choice.status().message())}}, peer.address};
      choices->Set(i, *std::move(choice));
    });
  }
}

}  // namespace

std::unique_ptr<ChoosingTransport> CreateChoosingTransport(ChoiceOptions options) {
  return std::make_unique<Chooser>(std::move(options));
}

}  // namespace sluice::transport
