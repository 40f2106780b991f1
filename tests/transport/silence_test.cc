// SPDX-License-Identifier: Apache-2.0
// A peer that vanishes silently: no data arrives, and no error.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/tcp/socket.h"
#include "transport/backends/tcp/transport.h"
#include "transport/rpc/server.h"

namespace sluice::transport {
namespace {

// A proxy to a port of this machine. Once it is cut, or has carried so many bytes from one side, all
// data is lost.
class Way {
 public:
  explicit Way(int to, int64_t bytes = INT64_MAX)
      : to_(*SocketAddress::Find("127.0.0.1", to)), left_(bytes) {
    listener_ = *ListenTcp("127.0.0.1", &at_);
    thread_ = std::thread([this] { Carry(); });
  }
  ~Way() {
    stopping_ = true;
    thread_.join();
  }
  std::string address() const { return at_.ToString(); }
  void Cut() { cut_ = true; }

 private:
  void Carry() {
    std::vector<Descriptor> ends;  // both ends of each connection, in pairs
    while (!stopping_) {
      std::vector<pollfd> polled = {{listener_.get(), POLLIN, 0}};
      for (const Descriptor& end : ends) polled.push_back({end.get(), POLLIN, 0});
      poll(polled.data(), cut_ ? 0 : polled.size(), /*timeout ms=*/20);
      if (cut_) continue;
      constexpr int kFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;
      if (Descriptor in(accept4(listener_.get(), nullptr, nullptr, kFlags)); in.valid()) {
        PrepareTcp(in.get());
        ends.push_back(std::move(in));
        ends.push_back(*ConnectTcp(to_));
      }
      for (size_t i = 0; i < ends.size(); ++i) Pass(ends[i].get(), ends[i ^ 1].get());
    }
  }
  void Pass(int from, int to) {
    char bytes[1 << 16];
    const ssize_t got =
        read(from, bytes, static_cast<size_t>(std::min<int64_t>(left_, sizeof(bytes))));
    left_ -= std::max<ssize_t>(got, 0);
    if (left_ == 0) cut_ = true;
    for (ssize_t done = 0; done < got;) {
      pollfd room = {to, POLLOUT, 0};
      poll(&room, 1, /*timeout ms=*/20);
      const ssize_t n = write(to, bytes + done, static_cast<size_t>(got - done));
      if (n < 0 && errno != EAGAIN) return;
      done += std::max<ssize_t>(n, 0);
    }
  }

  const SocketAddress to_;
  int64_t left_;
  SocketAddress at_;
  Descriptor listener_;
  std::atomic<bool> cut_{false}, stopping_{false};
  std::thread thread_;
};

TEST(SilenceTest, KeepaliveNoticesThatAPeerHasVanished) {
  constexpr char kPeer[] = "/job:b/replica:0/task:0";
  TestSink sink, other;
  GrpcServerOptions server;
  server.task = kPeer;
  server.bind_address = "127.0.0.1:0";
  server.sink = &other;
  const auto listener = *CreateGrpcServer(server);
  Way way(listener->port());
  const auto transport =
      CreateGrpcTransport({.self = {"/job:a/replica:0/task:0"}, .keepalive = absl::Seconds(1)});
  transport->Attach(&sink);
  const auto channel = *transport->Connect({kPeer, way.address()}, {});
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  ASSERT_TRUE(other.AwaitStage(TestSink::kDelivered));
  way.Cut();
  const auto broken = sink.NextBroken();
  ASSERT_TRUE(broken.ok()) << broken.status();
  EXPECT_EQ(broken->first, kPeer);
  EXPECT_TRUE(absl::IsUnavailable(broken->second)) << broken->second;
  listener->Stop(absl::ZeroDuration());
}

constexpr char kSender[] = "/job:a/replica:0/task:0", kReceiver[] = "/job:b/replica:0/task:0";

std::unique_ptr<Transport> Tcp(const char* task, int connections, TensorSink* sink,
                               absl::Duration silence = absl::Milliseconds(400)) {
  TcpTransportOptions options{.self = {task, 1}, .connections = connections};
  options.loop = std::make_shared<PollLoop>("test");
  options.silence = silence;
  auto transport = *CreateTcpTransport(options);
  transport->Attach(sink);
  return transport;
}

int PortOf(const ConnectionOffer& offer) {
  return std::stoi(offer.address.substr(offer.address.rfind(':') + 1));
}

// A process that is suspended while it sends: its kernel still answers ours.
TEST(SilenceTest, APeerThatStopsInTheMiddleOfATensorIsNamed) {
  for (const int connections : {1, 4}) {
    TestSink sends, receives;
    const auto receiver = Tcp(kReceiver, connections, &receives);
    const auto sender = Tcp(kSender, connections, &sends);
    ConnectionOffer offer = *receiver->Offer({kSender, 1, HostId()});
    Way way(PortOf(offer), /*bytes=*/5'000'000);
    offer.address = way.address();
    const auto channel = *sender->Connect({kReceiver, way.address()}, offer);
    const Tensor large = *Tensor::Allocate(CpuAllocator(), kUint8, Shape{20'000'000});
    ASSERT_TRUE(channel->Send({{1, 1}, {}}, {large}).ok());
    const auto broken = receives.NextBroken();
    ASSERT_TRUE(broken.ok()) << broken.status();
    EXPECT_EQ(broken->first, kSender);
    EXPECT_TRUE(absl::IsUnavailable(broken->second)) << broken->second;
    EXPECT_TRUE(absl::StrContains(broken->second.message(), kSender)) << broken->second;
    EXPECT_TRUE(absl::StrContains(broken->second.message(), "in the middle of a tensor"))
        << broken->second;
  }
}

// A sink whose steps wait for tensors, or do not.
struct AwaitingSink : TestSink {
  bool Awaits(const std::string& peer) const override { return peer == kSender && awaits; }
  std::atomic<bool> awaits{false};
};

// The sender is connected and has sent one tensor.
struct Connected {
  Connected(AwaitingSink& receives, absl::Duration silence)
      : receiver(Tcp(kReceiver, 1, &receives, silence)), sender(Tcp(kSender, 1, &sends)) {
    ConnectionOffer offer = *receiver->Offer({kSender, 1, HostId()});
    way = std::make_unique<Way>(PortOf(offer));
    offer.address = way->address();
    channel = *sender->Connect({kReceiver, way->address()}, offer);
    EXPECT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
    EXPECT_TRUE(receives.AwaitStage(TestSink::kDelivered));
  }
  TestSink sends;
  std::unique_ptr<Transport> receiver, sender;
  std::unique_ptr<Way> way;
  std::unique_ptr<TensorChannel> channel;
};

TEST(SilenceTest, APeerThatStopsBetweenTwoTensorsIsNamed) {
  AwaitingSink receives;
  Connected pair(receives, absl::Milliseconds(400));
  pair.way->Cut();
  absl::SleepFor(absl::Milliseconds(1200));
  EXPECT_EQ(receives.broken_count(), 0u) << "nothing is awaited";
  receives.awaits = true;
  const auto broken = receives.NextBroken();
  ASSERT_TRUE(broken.ok()) << broken.status();
  EXPECT_TRUE(absl::IsUnavailable(broken->second)) << broken->second;
  for (const char* part : {kSender, "while a tensor is awaited it answered nothing"})
    EXPECT_TRUE(absl::StrContains(broken->second.message(), part)) << broken->second;
}

TEST(SilenceTest, APeerThatComputesForLongIsNotMistaken) {
  AwaitingSink receives;
  receives.awaits = true;
  Connected pair(receives, absl::Seconds(2));
  absl::SleepFor(absl::Seconds(5));
  EXPECT_EQ(receives.broken_count(), 0u);
  ASSERT_TRUE(pair.channel->Send({{1, 1}, {2, 0, 0, 0}}, {Tensor::Scalar<float>(1)}).ok());
  EXPECT_TRUE(receives.Take(kSender, {{1, 1}, {2, 0, 0, 0}}).ok());
}

TEST(SilenceTest, AConnectionThatSaysNothingIsClosed) {
  TestSink receives;
  const auto receiver = Tcp(kReceiver, 1, &receives);
  const int port = PortOf(*receiver->Offer({kSender, 1, HostId()}));
  const Descriptor silent = *ConnectTcp(*SocketAddress::Find("127.0.0.1", port));
  pollfd closed = {silent.get(), POLLIN | POLLRDHUP, 0};
  ASSERT_EQ(poll(&closed, 1, /*timeout ms=*/20'000), 1);
  char byte = 0;
  EXPECT_LE(read(silent.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace sluice::transport
