#include "transport/choice/choosing_transport.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/choice/chosen_channel.h"
#include "transport/guest_book.h"
#include "transport/inproc/inproc_road.h"
#include "transport/poll/poll_loop.h"
#include "transport/shm/shm_road.h"
#include "transport/tcp/tcp_road.h"

namespace sluice::transport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseRoadsTest, ListsPreferAndMinusForbids) {
  EXPECT_THAT(*ParseRoads("auto"), ElementsAre("inproc", "shm", "tcp", "grpc"));
  EXPECT_THAT(*ParseRoads(""), ElementsAre("inproc", "shm", "tcp", "grpc"));
  EXPECT_THAT(*ParseRoads("tcp,grpc"), ElementsAre("tcp", "grpc"));
  EXPECT_THAT(*ParseRoads("-shm"), ElementsAre("inproc", "tcp", "grpc"));
  EXPECT_THAT(*ParseRoads("grpc,grpc"), ElementsAre("grpc"));
  EXPECT_THAT(ParseRoads("pigeon").status().message(), HasSubstr("\"pigeon\""));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseRoads("shm,-shm").status()));
}

TEST(GuestBookTest, KnowsWhomItInvitedLately) {
  GuestBook book;
  const std::string token = book.TokenFor({"a", 1, "host"});
  EXPECT_EQ(book.TokenFor({"a", 1, "host"}), token) << "a second stream of the same process";
  EXPECT_TRUE(book.Invited("a", token));
  EXPECT_FALSE(book.Invited("b", token));
  EXPECT_FALSE(book.Invited("a", ""));
  const std::string later = book.TokenFor({"a", 2, "host"});
  EXPECT_NE(later, token) << "the task was restarted";
  EXPECT_FALSE(book.Invited("a", token));
  for (int i = 0; i < 10'000; ++i) book.TokenFor({absl::StrCat("a#", i), 1, "host"});
  EXPECT_FALSE(book.Invited("a", later));
}

// A transport that is told apart by its channels' names.
class NamedTransport final : public Transport {
 public:
  absl::string_view name() const override { return "grpc"; }
  void Attach(TensorSink*) override {}
  absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress&) override {
    return Unavailable("no worker");
  }
  absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(const PeerAddress& peer) override {
    struct Channel final : TensorChannel {
      explicit Channel(std::string task) : task(std::move(task)) {}
      absl::Status Send(const ParcelId&, Parcel) override { return absl::OkStatus(); }
      void Pull(const ParcelId&) override {}
      void Consumed(const StepId&, int64_t) override {}
      void EndStep(const StepId&) override {}
      std::string ToString() const override { return "grpc to " + task; }
      const std::string task;
    };
    return std::make_unique<Channel>(peer.task);
  }
};

// Asks another chooser of this process, as gRPC would.
class Neighbour final : public Introducer {
 public:
  // Who lives there is found out when somebody asks.
  explicit Neighbour(std::function<Introducer*()> other) : other_(std::move(other)) {}
  void Introduce(const Introduction& introduction, const CallOptions& options,
                 Reply<Welcome> done) override {
    other_()->Introduce(introduction, options, std::move(done));
  }
  void ListRoads(const CallOptions& options, Reply<TaskRoads> done) override {
    other_()->ListRoads(options, std::move(done));
  }

 private:
  const std::function<Introducer*()> other_;
};

class ChoiceTest : public testing::Test {
 protected:
  static constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";
  struct Side {
    TestSink sink;
    std::unique_ptr<ChoosingTransport> transport;
    std::shared_ptr<TensorChannel> channel;
  };

  void Start(Side& side, Side& other, const std::string& task, const std::string& peer,
             const std::string& roads) {
    ChoiceOptions options;
    options.task = task;
    options.incarnation = ++incarnation_;
    options.peers = {{peer, "127.0.0.1:1"}};
    options.preferred = *ParseRoads(roads);
    options.grpc = std::make_unique<NamedTransport>();
    const StreamIdentity self{task, options.incarnation};
    options.roads.push_back(
        CreateInprocRoad({.self = self, .loop = std::make_shared<PollLoop>(task)}));
    options.roads.push_back(*CreateShmRoad({.self = self, .loop = loop_}));
    options.roads.push_back(*CreateTcpRoad({.self = self, .loop = loop_}));
    options.introduce = [&other](const PeerAddress&) {
      return std::make_unique<Neighbour>([&other] { return other.transport.get(); });
    };
    side.transport = CreateChoosingTransport(std::move(options));
    side.transport->Attach(&side.sink);
    side.channel = *side.transport->ConnectChannel({peer, "127.0.0.1:1"});
    side.sink.set_channel([&side](const std::string&) { return side.channel.get(); });
  }
  void Start(const std::string& a, const std::string& b) {
    Start(a_, b_, kA, kB, a);
    Start(b_, a_, kB, kA, b);
  }
  ~ChoiceTest() override {
    for (Side* side : {&a_, &b_}) side->transport->Stop();
    for (Side* side : {&a_, &b_}) side->channel.reset();
  }
  RoadChoice Choice() {
    RoadChoice mine;
    a_.transport->ListRoads({}, [&](absl::StatusOr<TaskRoads> roads) {
      ASSERT_TRUE(roads.ok() && roads->choices.size() == 1) << roads.status();
      EXPECT_EQ(roads->task, kA);
      mine = roads->choices.front();
    });
    return mine;
  }

  const std::shared_ptr<PollLoop> loop_ = std::make_shared<PollLoop>("choice");
  uint64_t incarnation_ = 0;
  Side a_, b_;
};

TEST_F(ChoiceTest, TakesTheBestThatBothHave) {
  Start("auto", "auto");
  EXPECT_EQ(Choice().road, "inproc");
  EXPECT_EQ(Choice().address, "127.0.0.1:1");
  EXPECT_TRUE(Choice().passed_over.empty());
}

TEST_F(ChoiceTest, TakesTheBestThatIsLeft) {
  Start("-inproc", "auto");
  EXPECT_EQ(Choice().road, "shm");
  EXPECT_TRUE(Choice().passed_over.empty());
}

// Whatever is preferred for others, as far as the task allows it.
TEST_F(ChoiceTest, ASessionHasRoadsOfItsOwn) {
  Start("shm,tcp", "auto");
  const auto road_of = [&](const std::string& session, const std::string& roads) {
    PeerAddress peer{kB, "127.0.0.1:1", absl::StrCat(kA, "#", session)};
    peer.roads = *ParseRoads(roads);
    auto channel = *a_.transport->ConnectChannel(peer);
    EXPECT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
    return channel->ToString();
  };
  EXPECT_EQ(Choice().road, "shm");
  EXPECT_THAT(road_of("1", "tcp,shm"), HasSubstr("tcp to"));
  EXPECT_THAT(road_of("2", "-shm"), HasSubstr("tcp to"));
  EXPECT_THAT(road_of("3", "inproc,shm"), HasSubstr("shm to"));
  EXPECT_EQ(a_.sink.broken_count(), 0u);
  EXPECT_THAT(road_of("4", "grpc"), HasSubstr("no transport yet"));
  const auto broken = a_.sink.NextBroken();
  ASSERT_TRUE(broken.ok());
  EXPECT_THAT(std::string(broken->second.message()),
              HasSubstr("grpc: /job:a/replica:0/task:0: its configuration does not allow it"));
}

TEST_F(ChoiceTest, SaysWhyNotABetterOne) {
  Start("-inproc", "-shm");
  const RoadChoice choice = Choice();
  EXPECT_EQ(choice.road, "tcp");
  ASSERT_EQ(choice.passed_over.size(), 1u);
  EXPECT_EQ(choice.passed_over[0].road, "shm");
  EXPECT_FALSE(choice.passed_over[0].rare);
  EXPECT_THAT(choice.passed_over[0].why, HasSubstr("configuration does not allow"));
}

TEST_F(ChoiceTest, FallsBackToGrpc) {
  Start("auto", "grpc");
  const RoadChoice choice = Choice();
  EXPECT_EQ(choice.road, "grpc");
  ASSERT_EQ(choice.passed_over.size(), 3u);
  EXPECT_TRUE(choice.passed_over[0].rare) << choice.passed_over[0].road;
  EXPECT_FALSE(choice.passed_over[1].rare) << choice.passed_over[1].road;
}

TEST_F(ChoiceTest, ARoadThatIsRequiredAndNotThereIsAnError) {
  Start("shm", "grpc");
  ASSERT_TRUE(a_.channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  const auto broken = a_.sink.NextBroken();
  ASSERT_TRUE(broken.ok());
  EXPECT_THAT(std::string(broken->second.message()), HasSubstr("no transport to it is left: shm"));
  EXPECT_EQ(Choice().road, "");
}

TEST_F(ChoiceTest, WhatIsSentBeforeTheChoiceArrives) {
  Start("tcp", "auto");
  for (uint64_t i = 0; i < 100; ++i)
    ASSERT_TRUE(a_.channel->Send({{1, 1}, {i, 0, 0, 0}}, {Tensor::Scalar<float>(1)}).ok());
  for (uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(b_.sink.Take(kA, {{1, 1}, {i, 0, 0, 0}}).ok());
  EXPECT_THAT(a_.channel->ToString(), HasSubstr("tcp to "));
}

// A second choice would open a second stream, and the peer would take the first for lost.
TEST(ChosenChannelTest, ThreadsThatSendAtOnceChooseOnce) {
  constexpr int kRounds = 3000, kThreads = 3;
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<int> choices = 0, ready = 0;
    NamedTransport transport;
    ChosenChannel channel(
        {}, {"b", "localhost:1"}, /*introducer=*/nullptr,
        [&](const PeerAddress& peer, const auto&, RoadChoice*) {
          ++choices;
          return transport.ConnectChannel(peer);
        },
        /*sink=*/nullptr);
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        ++ready;
        while (ready < kThreads) std::this_thread::yield();
        EXPECT_TRUE(channel.Send({{1, static_cast<uint64_t>(i)}, {}}, {}).ok());
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(choices, 1) << "in round " << round;
  }
}

TEST_F(ChoiceTest, AVisitorThatWasNotInvitedIsRefused) {
  Start("auto", "auto");
  auto road = *CreateTcpRoad({.self = {kA, 99}, .loop = loop_});
  TestSink sink;
  road->Attach(&sink);
  Welcome welcome;
  b_.transport->Introduce({{kA, 1, HostId()}, kB, {"tcp"}}, {},
                          [&](absl::StatusOr<Welcome> given) { welcome = *given; });
  ASSERT_EQ(welcome.invitations.size(), 1u);
  Invitation forged = welcome.invitations[0];
  forged.token = "guessed";
  auto channel = *road->Connect({kB, "127.0.0.1:1"}, forged);
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_TRUE(sink.NextBroken().ok());
  EXPECT_EQ(b_.sink.arrived(), 0u);
  EXPECT_TRUE(absl::IsUnavailable(channel->Send({{1, 2}, {}}, {Tensor::Scalar<float>(1)})));
}

// A stranger's invitation leads nowhere: as behind a firewall, the stream never opens.
TEST_F(ChoiceTest, ARoadThatNeverOpenedIsPassedOver) {
  Start("tcp,grpc", "auto");
  ChoiceOptions options;
  options.task = kA;
  options.incarnation = 7;
  options.preferred = {"tcp", "grpc"};
  options.grpc = std::make_unique<NamedTransport>();
  options.roads.push_back(*CreateTcpRoad({.self = {kA, 7}, .loop = loop_}));
  struct Forger final : Introducer {
    void Introduce(const Introduction&, const CallOptions&, Reply<Welcome> done) override {
      done(Welcome{{{"tcp", "127.0.0.1:1", "token"}}, {}});
    }
    void ListRoads(const CallOptions&, Reply<TaskRoads>) override {}
  };
  options.introduce = [](const PeerAddress&) { return std::make_unique<Forger>(); };
  TestSink sink;
  auto transport = CreateChoosingTransport(std::move(options));
  transport->Attach(&sink);
  auto channel = *transport->ConnectChannel({kB, "127.0.0.1:1"});
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_TRUE(sink.NextBroken().ok());
  ASSERT_TRUE(channel->Send({{1, 2}, {}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_THAT(channel->ToString(), HasSubstr("grpc to "));
  transport->Stop();
}

TEST_F(ChoiceTest, AVisitorFromAnotherMachineHasNoSharedMemory) {
  Start("auto", "auto");
  Welcome welcome;
  b_.transport->Introduce({{kA, 1, "elsewhere"}, kB, {"shm", "tcp"}}, {},
                          [&](absl::StatusOr<Welcome> given) { welcome = *given; });
  EXPECT_TRUE(welcome.invitations.empty());
  ASSERT_EQ(welcome.refused.size(), 2u);
  EXPECT_THAT(welcome.refused[0].why, HasSubstr("another machine"));
  EXPECT_THAT(welcome.refused[1].why, HasSubstr("loopback only"));
}

TEST_F(ChoiceTest, AnIntroductionToSomebodyElseIsRefused) {
  Start("auto", "auto");
  absl::Status status;
  b_.transport->Introduce({{kA, 1, HostId()}, "/job:c/replica:0/task:0", {"tcp"}}, {},
                          [&](absl::StatusOr<Welcome> given) { status = given.status(); });
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
}

}  // namespace
}  // namespace sluice::transport
