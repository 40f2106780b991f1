// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "transport/admission/connection_table.h"
#include "transport/admission/endpoint.h"
#include "transport/admission/listening.h"
#include "transport/admission/port.h"
#include "transport/backends/tcp/socket.h"

namespace sluice::transport {
namespace {

constexpr char kPreface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

// A client's connection with a port of this machine.
Descriptor ConnectTo(int port) {
  const auto address = SocketAddress::Find("127.0.0.1", port);
  EXPECT_TRUE(address.ok());
  Descriptor client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(
      connect(client.get(), reinterpret_cast<const sockaddr*>(&address->address), address->size),
      0);
  return client;
}

bool IsAtEnd(const Descriptor& client) {
  char byte = 0;
  return recv(client.get(), &byte, 1, 0) <= 0;
}

TEST(Endpoint, IsReadAsGrpcWritesIt) {
  for (const char* peer : {"ipv4:10.1.2.3:41234", "ipv6:%5B::ffff:10.1.2.3%5D:41234"})
    EXPECT_EQ(ParseEndpoint(peer)->ToString(), "10.1.2.3:41234") << peer;
  for (const char* peer : {"ipv6:%5B::1%5D:7", "ipv6:[::1]:7"})
    EXPECT_EQ(ParseEndpoint(peer)->ToString(), "[::1]:7") << peer;
  for (const char* peer :
       {"", "unix:/tmp/x", "ipv4:10.1.2.3", "ipv4:10.1.2:1", "ipv4:10.1.2.3:70000",
        "ipv6::", "ipv4:10.1.2.3.10.1.2.3.10.1.2.3.10.1.2.3.10.1.2.3.10.1.2.3:1"})
    EXPECT_FALSE(ParseEndpoint(peer).has_value()) << peer;
}

TEST(Listening, TakesAllAddressesOfAName) {
  for (const char* address : {"127.0.0.1:0", "localhost:0", "0.0.0.0:0"}) {
    int port = 0;
    const auto listeners = ListenAt(address, &port);
    ASSERT_TRUE(listeners.ok()) << listeners.status();
    EXPECT_TRUE(ConnectTo(port).valid());
    int other = 0;
    const absl::Status taken = ListenAt(absl::StrCat("127.0.0.1:", port), &other).status();
    EXPECT_EQ(taken.message(),
              absl::StrCat("cannot listen at 127.0.0.1:", port, ": Address already in use"));
  }
}

class ConnectionTableTest : public ::testing::Test {
 protected:
  void SetUp() override { listeners_ = *ListenAt("127.0.0.1:0", &port_); }

  absl::StatusOr<std::shared_ptr<OpenConnection>> Add(ConnectionTable& table) {
    clients_.push_back(ConnectTo(port_));
    Descriptor accepted;
    while (!accepted.valid())
      accepted = Descriptor(accept4(listeners_[0].get(), nullptr, nullptr, SOCK_CLOEXEC));
    accepted_.push_back(std::move(accepted));
    return table.Add(accepted_.back().get());
  }
  static std::shared_ptr<OpenConnection> Find(const ConnectionTable& table,
                                              const OpenConnection& one) {
    return table.Find(absl::StrCat("ipv4:", one.peer().ToString()));
  }

  int port_ = 0;
  std::vector<Descriptor> listeners_;
  std::deque<Descriptor> clients_, accepted_;
  AdmissionLog log_{"task"};
};

TEST_F(ConnectionTableTest, TheOldestStrangerGivesWay) {
  ConnectionTable table({.connections = 5, .per_address = 5}, &log_);  // of them 4 strangers
  std::vector<std::shared_ptr<OpenConnection>> all;
  for (int i = 0; i < 4; ++i) all.push_back(*Add(table));
  table.BecomesKnown(all[0].get());
  EXPECT_TRUE(all[1]->AdmitsFirstCall());
  EXPECT_FALSE(all[1]->AdmitsFirstCall());
  all.push_back(*Add(table));
  all.push_back(*Add(table));
  EXPECT_EQ(Find(table, *all[0]), all[0]);
  EXPECT_EQ(Find(table, *all[1]), all[1]) << "a stranger that calls stays longer";
  EXPECT_EQ(Find(table, *all[2]), nullptr);
  EXPECT_TRUE(IsAtEnd(clients_[2]));
  EXPECT_EQ(Find(table, *all[3]), all[3]);
}

TEST_F(ConnectionTableTest, KnownConnectionsKeepTheirPlaces) {
  ConnectionTable table({.connections = 3, .per_address = 2}, &log_);
  const std::shared_ptr<OpenConnection> first = *Add(table), second = *Add(table);
  table.BecomesKnown(second.get());
  EXPECT_EQ(Find(table, *first), first);
  table.BecomesKnown(first.get());
  EXPECT_EQ(Add(table).status().code(), absl::StatusCode::kResourceExhausted);
  accepted_[0] = Descriptor();
  table.Check();
  EXPECT_EQ(Find(table, *first), nullptr);
  EXPECT_TRUE(Add(table).ok());
}

TEST_F(ConnectionTableTest, StrangersOfOneAddressShareABudgetOfCalls) {
  ConnectionTable table({}, &log_);
  const std::shared_ptr<OpenConnection> known = *Add(table), first = *Add(table);
  table.BecomesKnown(known.get());
  int allowed = 0;
  while (table.MayCall(*first, 10).ok()) ++allowed;
  EXPECT_GE(allowed, ConnectionTable::kStrangersBurst / 10);
  const std::shared_ptr<OpenConnection> second = *Add(table);
  EXPECT_EQ(table.MayCall(*second, ConnectionTable::kStrangersBurst).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(table.MayCall(*known, 1000).ok());
  EXPECT_TRUE(first->IsOpen());
  for (int i = 0; first->IsOpen() && i <= ConnectionTable::kMostRefused; ++i)
    EXPECT_FALSE(table.MayCall(*first, ConnectionTable::kStrangersBurst).ok());
  EXPECT_TRUE(IsAtEnd(clients_[1])) << "it went on to call";
  EXPECT_FALSE(table.MayCall(*second, ConnectionTable::kStrangersBurst).ok());
  EXPECT_TRUE(IsAtEnd(clients_[2])) << "its address is harmful";
  EXPECT_TRUE(known->IsOpen());
}

TEST_F(ConnectionTableTest, WhoBecomesKnownGivesBackWhatItTook) {
  ConnectionTable table({}, &log_);
  for (int i = 0; i < 10; ++i) {
    const std::shared_ptr<OpenConnection> client = *Add(table);
    EXPECT_TRUE(table.MayCall(*client, ConnectionTable::kStrangersBurst).ok()) << i;
    table.BecomesKnown(client.get());
    table.Remove(client.get());
  }
}

TEST_F(ConnectionTableTest, AKnownClientHasABudgetToo) {
  ConnectionTable table({}, &log_);
  const std::shared_ptr<OpenConnection> known = *Add(table);
  table.BecomesKnown(known.get());
  int allowed = 0;
  while (table.MayCall(*known, 100).ok()) ++allowed;
  EXPECT_GE(allowed, ConnectionTable::kKnownBurst / 100);
  for (int i = 0; i < 2 * ConnectionTable::kMostRefused; ++i)
    EXPECT_EQ(table.MayCall(*known, ConnectionTable::kKnownBurst).code(),
              absl::StatusCode::kResourceExhausted);
  EXPECT_TRUE(known->IsOpen());
}

TEST_F(ConnectionTableTest, IsIdleUntilThereIsSomethingToCheck) {
  ConnectionTable table({}, &log_);
  EXPECT_TRUE(table.IsIdle());
  const std::shared_ptr<OpenConnection> one = *Add(table);
  EXPECT_FALSE(table.IsIdle());
  table.Remove(one.get());
  EXPECT_TRUE(table.IsIdle());
  table.EndHarmful(*one, "it is harmful");  // its address counts as harmful for a while
  EXPECT_FALSE(table.IsIdle());
}

TEST_F(ConnectionTableTest, CancelledCallsAreCountedFromCheckToCheck) {
  ConnectionTable table({}, &log_);
  const std::shared_ptr<OpenConnection> one = *Add(table);
  for (int second = 0; second < 2; ++second) {
    for (int i = 0; i < OpenConnection::kCancelledPerSecond; ++i) EXPECT_TRUE(one->MayCancel());
    EXPECT_FALSE(one->MayCancel());
    EXPECT_TRUE(one->MayCancel());  // it is reported once
    table.Check();
  }
}

TEST_F(ConnectionTableTest, AClosedDescriptorIsLeftAlone) {
  ConnectionTable table({}, &log_);
  const std::shared_ptr<OpenConnection> first = *Add(table);
  const std::shared_ptr<OpenConnection> second = *Add(table);
  // The first one's number is the second one's now.
  dup2(accepted_[1].get(), accepted_[0].get());
  EXPECT_FALSE(first->IsOpen());
  EXPECT_FALSE(first->Reset());
  EXPECT_TRUE(second->IsOpen());
  EXPECT_TRUE(second->Reset());
  EXPECT_FALSE(second->Reset());
  EXPECT_TRUE(IsAtEnd(clients_[1]));
}

class PortTest : public ::testing::Test {
 protected:
  void Open(absl::Duration first_bytes) {
    Port::Options options;
    options.address = "127.0.0.1:0";
    options.first_bytes = first_bytes;
    options.hand_over = [this](int, Descriptor connection) {
      absl::MutexLock lock(&mu_);
      handed_.push_back(std::move(connection));
    };
    auto opened = OpenPort(std::move(options), &log_);
    ASSERT_TRUE(opened.ok()) << opened.status();
    port_ = *std::move(opened);
    ASSERT_TRUE(port_->Accept().ok());
  }
  void AwaitHanded(size_t count) {
    absl::MutexLock lock(&mu_);
    const auto enough = [&]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return handed_.size() >= count; };
    EXPECT_TRUE(mu_.AwaitWithTimeout(absl::Condition(&enough), absl::Seconds(30)));
  }

  AdmissionLog log_{"task"};
  absl::Mutex mu_;
  std::deque<Descriptor> handed_;
  std::unique_ptr<Port> port_;
};

TEST_F(PortTest, HandsOverWithTheFirstBytesUnread) {
  Open(absl::Minutes(10));
  const Descriptor slow = ConnectTo(port_->number()), quick = ConnectTo(port_->number());
  ASSERT_EQ(send(slow.get(), kPreface, 10, MSG_NOSIGNAL), 10);
  ASSERT_EQ(send(quick.get(), kPreface, 24, MSG_NOSIGNAL), 24);
  AwaitHanded(1);
  ASSERT_EQ(send(slow.get(), kPreface + 10, 14, MSG_NOSIGNAL), 14);
  AwaitHanded(2);
  for (const Descriptor& connection : handed_) {
    char bytes[25] = "";
    EXPECT_EQ(recv(connection.get(), bytes, 24, 0), 24);
    EXPECT_STREQ(bytes, kPreface);
    const std::string peer = PeerOf(connection.get())->ToString();
    EXPECT_NE(port_->connections().Find(absl::StrCat("ipv4:", peer)), nullptr);
  }
}

TEST_F(PortTest, ClosesWhatIsSilentOrSpeaksOtherwise) {
  Open(absl::Milliseconds(100));
  const Descriptor silent = ConnectTo(port_->number()), other = ConnectTo(port_->number());
  const std::string text = "GET / HTTP/1.1\r\nHost: sluice\r\n";
  send(other.get(), text.data(), text.size(), MSG_NOSIGNAL);
  EXPECT_TRUE(IsAtEnd(other));
  EXPECT_TRUE(IsAtEnd(silent));
  EXPECT_TRUE(handed_.empty());
}

TEST_F(PortTest, StopsWhileConnectionsAreSilent) {
  Open(absl::Minutes(10));
  const Descriptor silent = ConnectTo(port_->number());
  port_->Stop();
  port_->Stop();
  EXPECT_TRUE(IsAtEnd(silent));
}

}  // namespace
}  // namespace sluice::transport
