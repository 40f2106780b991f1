// SPDX-License-Identifier: Apache-2.0
#include "transport/selection/transport_selection.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/backends/inproc/transport.h"
#include "transport/backends/shm/transport.h"
#include "transport/backends/tcp/transport.h"
#include "transport/poll/poll_loop.h"
#include "transport/protocol/token_table.h"
#include "transport/selection/selected_channel.h"

namespace sluice::transport {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(ParseTransportsTest, ListsPreferAndMinusForbids) {
  EXPECT_THAT(*ParseTransports("auto"), ElementsAre("inproc", "shm", "rdma", "tcp", "grpc"));
  EXPECT_THAT(*ParseTransports(""), ElementsAre("inproc", "shm", "rdma", "tcp", "grpc"));
  EXPECT_THAT(*ParseTransports("tcp,grpc"), ElementsAre("tcp", "grpc"));
  EXPECT_THAT(*ParseTransports("-shm"), ElementsAre("inproc", "rdma", "tcp", "grpc"));
  EXPECT_THAT(*ParseTransports("grpc,grpc"), ElementsAre("grpc"));
  EXPECT_THAT(ParseTransports("pigeon").status().message(), HasSubstr("\"pigeon\""));
  EXPECT_TRUE(absl::IsInvalidArgument(ParseTransports("shm,-shm").status()));
}

TEST(TokenTableTest, KnowsRecentOffers) {
  TokenTable book;
  const std::string token = book.TokenFor({"a", 1, "host"});
  EXPECT_EQ(book.TokenFor({"a", 1, "host"}), token) << "a second stream of the same process";
  EXPECT_TRUE(book.Knows("a", token));
  EXPECT_FALSE(book.Knows("b", token));
  EXPECT_FALSE(book.Knows("a", ""));
  const std::string later = book.TokenFor({"a", 2, "host"});
  EXPECT_NE(later, token) << "the task was restarted";
  EXPECT_FALSE(book.Knows("a", token));
  for (int i = 0; i < 10'000; ++i) book.TokenFor({absl::StrCat("a#", i), 1, "host"});
  EXPECT_FALSE(book.Knows("a", later));
}

// Replaces gRPC: its channels have a name and carry nothing.
class NamedTransport final : public Transport {
 public:
  absl::string_view name() const override { return "grpc"; }
  bool needs_offer() const override { return false; }
  void Attach(TensorSink*) override {}
  absl::StatusOr<ConnectionOffer> Offer(const PeerIdentity&) override { return ConnectionOffer(); }
  absl::StatusOr<std::unique_ptr<TensorChannel>> Connect(const PeerAddress& peer,
                                                         const ConnectionOffer&) override {
    struct Channel final : TensorChannel {
      explicit Channel(std::string task) : task(std::move(task)) {}
      absl::Status Send(const ParcelId&, Parcel) override { return absl::OkStatus(); }
      std::string ToString() const override { return "grpc to " + task; }
      const std::string task;
    };
    return std::make_unique<Channel>(peer.task);
  }
  void Stop() override {}
};

// The calls of another task of this process.
class Calls final : public CallClient {
 public:
  using Connect = std::function<std::unique_ptr<HandshakeApi>()>;
  explicit Calls(Connect connect) : connect_(std::move(connect)) {}
  std::unique_ptr<WorkerApi> ConnectWorker(const PeerAddress&) override { return nullptr; }
  std::unique_ptr<HandshakeApi> ConnectHandshake(const PeerAddress&) override { return connect_(); }
  std::unique_ptr<GroupsApi> ConnectGroups(const PeerAddress&) override { return nullptr; }

 private:
  const Connect connect_;
};

// Sends the handshake to another selection of this process, as gRPC would.
class Neighbour final : public HandshakeApi {
 public:
  // The address is resolved at the call.
  explicit Neighbour(std::function<HandshakeApi*()> other) : other_(std::move(other)) {}
  void Handshake(const HandshakeRequest& request, const CallOptions& options,
                 Reply<HandshakeReply> done) override {
    other_()->Handshake(request, options, std::move(done));
  }
  void ListTransports(const CallOptions& options, Reply<TaskTransports> done) override {
    other_()->ListTransports(options, std::move(done));
  }

 private:
  const std::function<HandshakeApi*()> other_;
};

class SelectionTest : public testing::Test {
 protected:
  static constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";
  struct Side {
    TestSink sink;
    std::unique_ptr<TransportSelection> transport;
    std::shared_ptr<TensorChannel> channel;
  };

  void Start(Side& side, Side& other, const std::string& task, const std::string& peer,
             const std::string& transports) {
    SelectionOptions options;
    options.task = task;
    options.incarnation = ++incarnation_;
    options.peers = {{peer, "127.0.0.1:1"}};
    options.preferred = *ParseTransports(transports);
    const StreamIdentity self{task, options.incarnation};
    options.transports.push_back(
        CreateInprocTransport({.self = self, .loop = std::make_shared<PollLoop>(task)}));
    options.transports.push_back(*CreateShmTransport({.self = self, .loop = loop_}));
    options.transports.push_back(*CreateTcpTransport({.self = self, .loop = loop_}));
    options.transports.push_back(std::make_unique<NamedTransport>());
    options.calls = std::make_unique<Calls>([&other] {
      return std::make_unique<Neighbour>([&other] { return other.transport.get(); });
    });
    side.transport = CreateTransportSelection(std::move(options));
    side.transport->Attach(&side.sink);
    side.channel = *side.transport->ConnectChannel({peer, "127.0.0.1:1"});
    side.sink.set_channel([&side](const std::string&) { return side.channel.get(); });
  }
  void Start(const std::string& a, const std::string& b) {
    Start(a_, b_, kA, kB, a);
    Start(b_, a_, kB, kA, b);
  }
  ~SelectionTest() override {
    for (Side* side : {&a_, &b_}) side->transport->Stop();
    for (Side* side : {&a_, &b_}) side->channel.reset();
  }
  TransportChoice Choice() {
    TransportChoice mine;
    a_.transport->ListTransports({}, [&](absl::StatusOr<TaskTransports> transports) {
      ASSERT_TRUE(transports.ok() && transports->choices.size() == 1) << transports.status();
      EXPECT_EQ(transports->task, kA);
      mine = transports->choices.front();
    });
    return mine;
  }

  const std::shared_ptr<PollLoop> loop_ = std::make_shared<PollLoop>("choice");
  uint64_t incarnation_ = 0;
  Side a_, b_;
};

TEST_F(SelectionTest, TakesTheBestCommonTransport) {
  Start("auto", "auto");
  EXPECT_EQ(Choice().transport, "inproc");
  EXPECT_EQ(Choice().address, "127.0.0.1:1");
  EXPECT_TRUE(Choice().passed_over.empty());
}

TEST_F(SelectionTest, TakesTheBestRemainingTransport) {
  Start("-inproc", "auto");
  EXPECT_EQ(Choice().transport, "shm");
  EXPECT_TRUE(Choice().passed_over.empty());
}

// A session's own preference, within the task's allowed transports.
TEST_F(SelectionTest, ASessionHasTransportsOfItsOwn) {
  Start("shm,tcp", "auto");
  const auto transport_of = [&](const std::string& session, const std::string& transports) {
    PeerAddress peer{kB, "127.0.0.1:1", absl::StrCat(kA, "#", session)};
    peer.transports = *ParseTransports(transports);
    auto channel = *a_.transport->ConnectChannel(peer);
    EXPECT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
    return channel->ToString();
  };
  EXPECT_EQ(Choice().transport, "shm");
  EXPECT_THAT(transport_of("1", "tcp,shm"), HasSubstr("tcp to"));
  EXPECT_THAT(transport_of("2", "-shm"), HasSubstr("tcp to"));
  EXPECT_THAT(transport_of("3", "inproc,shm"), HasSubstr("shm to"));
  EXPECT_EQ(a_.sink.broken_count(), 0u);
  EXPECT_THAT(transport_of("4", "grpc"), HasSubstr("no transport yet"));
  const auto broken = a_.sink.NextBroken();
  ASSERT_TRUE(broken.ok());
  EXPECT_THAT(std::string(broken->second.message()),
              HasSubstr("grpc: /job:a/replica:0/task:0: its configuration does not allow it"));
}

TEST_F(SelectionTest, ReportsWhyBetterTransportsAreNotUsed) {
  Start("-inproc", "-shm");
  const TransportChoice choice = Choice();
  EXPECT_EQ(choice.transport, "tcp");
  ASSERT_EQ(choice.passed_over.size(), 2u);
  EXPECT_EQ(choice.passed_over[0].transport, "shm");
  EXPECT_FALSE(choice.passed_over[0].rare);
  EXPECT_THAT(choice.passed_over[0].why, HasSubstr("configuration does not allow"));
}

TEST_F(SelectionTest, FallsBackToGrpc) {
  Start("auto", "grpc");
  const TransportChoice choice = Choice();
  EXPECT_EQ(choice.transport, "grpc");
  ASSERT_EQ(choice.passed_over.size(), 4u);
  EXPECT_TRUE(choice.passed_over[0].rare) << choice.passed_over[0].transport;
  EXPECT_FALSE(choice.passed_over[1].rare) << choice.passed_over[1].transport;
}

TEST_F(SelectionTest, AMissingTransportThatIsRequiredIsAnError) {
  Start("shm", "grpc");
  ASSERT_TRUE(a_.channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  const auto broken = a_.sink.NextBroken();
  ASSERT_TRUE(broken.ok());
  EXPECT_THAT(std::string(broken->second.message()), HasSubstr("no transport to it is left: shm"));
  EXPECT_EQ(Choice().transport, "");
}

TEST_F(SelectionTest, TensorsSentBeforeTheChoiceArrive) {
  Start("tcp", "auto");
  for (uint64_t i = 0; i < 100; ++i)
    ASSERT_TRUE(a_.channel->Send({{1, 1}, {i, 0, 0, 0}}, {Tensor::Scalar<float>(1)}).ok());
  for (uint64_t i = 0; i < 100; ++i) EXPECT_TRUE(b_.sink.Take(kA, {{1, 1}, {i, 0, 0, 0}}).ok());
  EXPECT_THAT(a_.channel->ToString(), HasSubstr("tcp to "));
}

// A second choice would open a second stream, and the peer would treat the first as lost.
TEST(SelectedChannelTest, ThreadsThatSendAtOnceChooseOnce) {
  constexpr int kRounds = 3000, kThreads = 3;
  for (int round = 0; round < kRounds; ++round) {
    std::atomic<int> choices = 0, ready = 0;
    NamedTransport transport;
    SelectedChannel channel(
        {}, {"b", "localhost:1"}, /*handshake=*/nullptr,
        [&](const PeerAddress& peer, const auto&, TransportChoice*) {
          ++choices;
          return transport.Connect(peer, {});
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

TEST_F(SelectionTest, APeerWithoutAnOfferIsRefused) {
  Start("auto", "auto");
  auto transport = *CreateTcpTransport({.self = {kA, 99}, .loop = loop_});
  TestSink sink;
  transport->Attach(&sink);
  HandshakeReply reply;
  b_.transport->Handshake({{kA, 1, HostId()}, kB, {"tcp"}}, {},
                          [&](absl::StatusOr<HandshakeReply> given) { reply = *given; });
  ASSERT_EQ(reply.offers.size(), 1u);
  ConnectionOffer forged = reply.offers[0];
  forged.token = "guessed";
  auto channel = *transport->Connect({kB, "127.0.0.1:1"}, forged);
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_TRUE(sink.NextBroken().ok());
  EXPECT_EQ(b_.sink.arrived(), 0u);
  EXPECT_TRUE(absl::IsUnavailable(channel->Send({{1, 2}, {}}, {Tensor::Scalar<float>(1)})));
}

// An offer with an unreachable address: as behind a firewall, the stream never opens.
TEST_F(SelectionTest, ATransportThatNeverOpenedIsPassedOver) {
  Start("tcp,grpc", "auto");
  SelectionOptions options;
  options.task = kA;
  options.incarnation = 7;
  options.preferred = {"tcp", "grpc"};
  options.transports.push_back(*CreateTcpTransport({.self = {kA, 7}, .loop = loop_}));
  options.transports.push_back(std::make_unique<NamedTransport>());
  struct Forger final : HandshakeApi {
    void Handshake(const HandshakeRequest&, const CallOptions&,
                   Reply<HandshakeReply> done) override {
      done(HandshakeReply{{{"tcp", "127.0.0.1:1", "token"}}, {}});
    }
    void ListTransports(const CallOptions&, Reply<TaskTransports>) override {}
  };
  options.calls = std::make_unique<Calls>([] { return std::make_unique<Forger>(); });
  TestSink sink;
  auto transport = CreateTransportSelection(std::move(options));
  transport->Attach(&sink);
  auto channel = *transport->ConnectChannel({kB, "127.0.0.1:1"});
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_TRUE(sink.NextBroken().ok());
  ASSERT_TRUE(channel->Send({{1, 2}, {}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_THAT(channel->ToString(), HasSubstr("grpc to "));
  transport->Stop();
}

TEST_F(SelectionTest, APeerOnAnotherMachineHasNoSharedMemory) {
  Start("auto", "auto");
  HandshakeReply reply;
  b_.transport->Handshake({{kA, 1, "elsewhere"}, kB, {"shm", "tcp"}}, {},
                          [&](absl::StatusOr<HandshakeReply> given) { reply = *given; });
  EXPECT_TRUE(reply.offers.empty());
  ASSERT_EQ(reply.refused.size(), 2u);
  EXPECT_THAT(reply.refused[0].why, HasSubstr("another machine"));
  EXPECT_THAT(reply.refused[1].why, HasSubstr("loopback only"));
}

TEST_F(SelectionTest, AProcessOfThisMachineWithAnotherHostNameUsesTcp) {
  Start("auto", "auto");
  HandshakeReply reply;
  b_.transport->Handshake({{kA, 1, HostId() + "/host:other"}, kB, {"shm", "tcp"}}, {},
                          [&](absl::StatusOr<HandshakeReply> given) { reply = *given; });
  ASSERT_EQ(reply.offers.size(), 1u);
  EXPECT_EQ(reply.offers[0].transport, "tcp");
  ASSERT_EQ(reply.refused.size(), 1u);
  EXPECT_FALSE(IsThisMachine(HostId() + "1"));
}

TEST_F(SelectionTest, AHandshakeForAnotherTaskIsRefused) {
  Start("auto", "auto");
  absl::Status status;
  b_.transport->Handshake({{kA, 1, HostId()}, "/job:c/replica:0/task:0", {"tcp"}}, {},
                          [&](absl::StatusOr<HandshakeReply> given) { status = given.status(); });
  EXPECT_TRUE(absl::IsFailedPrecondition(status)) << status;
}

}  // namespace
}  // namespace sluice::transport
