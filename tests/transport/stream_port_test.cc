// SPDX-License-Identifier: Apache-2.0
// The port of a transport, beside connections that never open a stream.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <deque>
#include <string>

#include "tests/transport/endpoint.h"
#include "transport/backends/tcp/socket.h"
#include "transport/backends/tcp/transport.h"

namespace sluice::transport {
namespace {

constexpr char kSender[] = "/job:a/replica:0/task:0", kReceiver[] = "/job:b/replica:0/task:0";
constexpr absl::Duration kLong = absl::Minutes(10);

std::unique_ptr<Transport> Tcp(const char* task, TensorSink* sink, ConnectionLimits limits = {}) {
  TcpTransportOptions options{.self = {task, 1}};
  options.loop = std::make_shared<PollLoop>("test");
  options.silence = kLong;
  options.limits = limits;
  auto transport = *CreateTcpTransport(options);
  transport->Attach(sink);
  return transport;
}

// Whether the peer ends the connection within a minute, or `at_once`.
bool Ends(const Descriptor& connection, bool at_once = false) {
  pollfd polled = {connection.get(), POLLIN, 0};
  char byte = 0;
  return poll(&polled, 1, at_once ? 0 : 60'000) > 0 && recv(connection.get(), &byte, 1, 0) <= 0;
}

TEST(StreamPortTest, ConnectionsWithoutAStreamGiveWay) {
  TestSink sends, receives;
  const auto receiver = Tcp(kReceiver, &receives, {.connections = 16, .per_address = 16});
  const auto sender = Tcp(kSender, &sends);
  const ConnectionOffer offer = *receiver->Offer({kSender, 1, HostId()});
  const int port = std::stoi(offer.address.substr(offer.address.rfind(':') + 1));
  const auto address = *SocketAddress::Find("127.0.0.1", port);
  const auto channel = *sender->Connect({kReceiver, address.ToString()}, offer);
  ASSERT_TRUE(channel->Send({{1, 1}, {}}, {Tensor::Scalar<float>(1)}).ok());
  ASSERT_TRUE(receives.AwaitStage(TestSink::kDelivered));

  constexpr int kSilent = 40, kKept = 4;  // a quarter of all
  std::deque<Descriptor> silent;
  for (int i = 0; i < kSilent; ++i) silent.push_back(*ConnectTcp(address));
  for (int i = 0; i < kSilent - kKept; ++i) EXPECT_TRUE(Ends(silent[static_cast<size_t>(i)])) << i;
  for (int i = kSilent - kKept; i < kSilent; ++i)
    EXPECT_FALSE(Ends(silent[static_cast<size_t>(i)], /*at_once=*/true)) << i;

  TestSink sends_too;
  const auto newcomer = Tcp(kSender, &sends_too);
  const auto other = *newcomer->Connect({kReceiver, address.ToString()}, offer);
  ASSERT_TRUE(other->Send({{1, 2}, {}}, {Tensor::Scalar<float>(2)}).ok());
  EXPECT_TRUE(Ends(silent[kSilent - kKept])) << "it gives way";
}

}  // namespace
}  // namespace sluice::transport
