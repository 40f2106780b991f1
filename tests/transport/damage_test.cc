// SPDX-License-Identifier: Apache-2.0
// A network that changes bytes between two tasks.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <thread>

#include "absl/strings/match.h"
#include "core/codec/codec.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/tcp/socket.h"
#include "transport/backends/tcp/transport.h"
#include "transport/rpc/server.h"

namespace sluice::transport {
namespace {

constexpr char kSender[] = "/job:a/replica:0/task:0", kReceiver[] = "/job:b/replica:0/task:0";

// A proxy to a port of this machine. It changes one bit: of byte `at` to the port, or from it.
class Damage {
 public:
  Damage(int to, int64_t at, bool forward, uint8_t bit)
      : to_(*SocketAddress::Find("127.0.0.1", to)), forward_(forward), bit_(bit), left_(at) {
    listener_ = *ListenTcp("127.0.0.1", &at_);
    thread_ = std::thread([this] { Carry(); });
  }
  ~Damage() {
    stopping_ = true;
    thread_.join();
  }
  std::string address() const { return at_.ToString(); }
  bool done() const { return left_ < 0; }

 private:
  void Carry() {
    std::vector<Descriptor> ends;  // both ends of each connection, in pairs
    while (!stopping_) {
      std::vector<pollfd> polled = {{listener_.get(), POLLIN, 0}};
      for (const Descriptor& end : ends) {
        if (end.valid()) polled.push_back({end.get(), POLLIN, 0});
      }
      poll(polled.data(), polled.size(), /*timeout ms=*/5);
      constexpr int kFlags = SOCK_CLOEXEC | SOCK_NONBLOCK;
      if (Descriptor in(accept4(listener_.get(), nullptr, nullptr, kFlags)); in.valid()) {
        PrepareTcp(in.get());
        ends.push_back(std::move(in));
        ends.push_back(*ConnectTcp(to_));
      }
      for (size_t i = 0; i < ends.size(); ++i) {
        Descriptor &one = ends[i], &other = ends[i ^ 1];
        if (!one.valid() || Pass(one.get(), other.get(), i % 2 == 0)) continue;
        (void)Pass(other.get(), one.get(), i % 2 != 0);  // what the other end said last
        one = Descriptor();
        other = Descriptor();
      }
    }
  }
  // False if the connection has ended.
  bool Pass(int from, int to, bool forward) {
    char bytes[1 << 16];
    const ssize_t got = read(from, bytes, sizeof(bytes));
    if (got <= 0) return got < 0 && NotNow(errno);
    if (forward == forward_ && left_ >= 0) {
      if (left_ < got) bytes[left_] = static_cast<char>(bytes[left_] ^ (1 << bit_));
      left_ -= left_ < got ? left_ + 1 : got;
    }
    for (ssize_t done = 0; done < got;) {
      pollfd room = {to, POLLOUT, 0};
      poll(&room, 1, /*timeout ms=*/20);
      const ssize_t n = send(to, bytes + done, static_cast<size_t>(got - done), MSG_NOSIGNAL);
      if (n < 0 && !NotNow(errno)) return false;
      if (stopping_) return false;
      done += std::max<ssize_t>(n, 0);
    }
    return true;
  }

  const SocketAddress to_;
  const bool forward_;
  const uint8_t bit_;
  std::atomic<int64_t> left_;  // bytes before the one to change; negative: it is changed
  SocketAddress at_;
  Descriptor listener_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

// Tensors of all ways: copied into the message, sent alone, in parts, and encoded.
std::vector<Tensor> Sent() {
  std::vector<Tensor> sent;
  for (const int64_t bytes : {10, 3000, 50'000, 2'500'000}) {
    sent.push_back(Filled(bytes, 0));
    for (int64_t i = 0; i < bytes; ++i)
      sent.back().mutable_data<uint8_t>()[i] = static_cast<uint8_t>(i * i >> 3);
  }
  sent.push_back(Tensor::Vector<std::string>({"one", std::string(60'000, 'x')}));
  return sent;
}

bool Equal(const Tensor& a, const Tensor& b) {
  std::string bytes_a, bytes_b;
  return a.dtype() == b.dtype() && a.shape() == b.shape() && EncodeContent(a, &bytes_a).ok() &&
         EncodeContent(b, &bytes_b).ok() && bytes_a == bytes_b;
}

// Its steps wait for tensors.
struct AwaitingSink : TestSink {
  bool Awaits(const std::string&) const override { return true; }
};

// A task that receives: its port, and the offer that its transport made, if it makes any.
struct Receiving {
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Listener> listener;
  int port = 0;
  ConnectionOffer offer;
};

class DamageTest : public testing::TestWithParam<std::string> {
 protected:
  static constexpr int64_t kCredit = 1 << 20;  // so that tensors are announced and pulled
  static constexpr absl::Duration kKeepalive = absl::Seconds(1);
  bool tcp() const { return GetParam() == "tcp"; }

  std::unique_ptr<Transport> Make(const char* task, TensorSink* sink) const {
    const StreamIdentity self{task, 1, kCredit};
    std::unique_ptr<Transport> transport =
        tcp() ? *CreateTcpTransport({.self = self, .loop = std::make_shared<PollLoop>("test")})
              : CreateGrpcTransport({.self = self, .keepalive = kKeepalive});
    transport->Attach(sink);
    return transport;
  }
  Receiving Receive(TensorSink* sink) const {
    Receiving receiving{Make(kReceiver, sink), nullptr, 0, {}};
    if (tcp()) {
      receiving.offer = *receiving.transport->Offer({kSender, 1, HostId()});
      const std::string& address = receiving.offer.address;
      receiving.port = std::stoi(address.substr(address.rfind(':') + 1));
    } else {
      GrpcServerOptions server;
      server.task = kReceiver;
      server.bind_address = "127.0.0.1:0";
      server.sink = sink;
      server.silence = 2 * kKeepalive;
      receiving.listener = *CreateGrpcServer(server);
      receiving.port = receiving.listener->port();
    }
    return receiving;
  }

  // What the sinks saw when one bit was changed.
  struct Trial {
    bool changed = false;
    int arrived = 0;
    absl::Status at_receiver, at_sender;
  };
  Trial Try(int64_t at, bool forward, uint8_t bit) const {
    const std::vector<Tensor> sent = Sent();
    TestSink sends;
    AwaitingSink receives;
    Receiving receiving = Receive(&receives);
    Trial trial;
    {
      const auto sender = Make(kSender, &sends);
      Damage way(receiving.port, at, forward, bit);
      if (tcp()) receiving.offer.address = way.address();
      const auto channel = *sender->Connect({kReceiver, way.address()}, receiving.offer);
      for (size_t i = 0; i < sent.size(); ++i)
        (void)channel->Send({{1, 1}, {i, 0, 0, 0}}, {sent[i]});
      // A changed length in gRPC's own framing lets gRPC wait for bytes that do not come: pings on
      // the stream find that.
      const absl::Time deadline = absl::Now() + TestSink::kTimeout;
      for (size_t i = 0; i < sent.size(); ++i) {
        absl::StatusOr<Parcel> got = Unavailable("");
        do {
          got = receives.Take(kSender, {{1, 1}, {i, 0, 0, 0}}, absl::Milliseconds(20));
        } while (!got.ok() && receives.broken_count() + sends.broken_count() == 0 &&
                 absl::Now() < deadline);
        if (!got.ok()) break;
        EXPECT_TRUE(Equal(got->tensor, sent[i])) << "tensor " << i << ", byte " << at;
        ++trial.arrived;
      }
      trial.changed = way.done();
      const bool ended = receives.broken_count() + sends.broken_count() > 0;
      EXPECT_TRUE(ended || trial.arrived == 5)
          << "bit " << int{bit} << " of byte " << at << (forward ? " to" : " from") << " the port";
      // Whoever has seen it ends the stream, which the other sees.
      if (ended && tcp()) {
        trial.at_sender = sends.NextBroken()->second;
        if (trial.arrived > 0) trial.at_receiver = receives.NextBroken()->second;
      }
    }
    if (receiving.listener != nullptr) receiving.listener->Stop(absl::ZeroDuration());
    receiving.transport->Stop();
    return trial;
  }
};

TEST_P(DamageTest, NoChangedBitBecomesAValue) {
  std::mt19937_64 random(4);
  int changed = 0, ended = 0;
  for (int i = 0; i < 40; ++i) {
    const bool forward = i % 4 != 0;
    const auto at = static_cast<int64_t>(random() % (!forward     ? 200
                                                     : i % 2 == 0 ? 500
                                                                  : 2'600'000));
    const Trial trial = Try(at, forward, random() % 8);
    changed += trial.changed ? 1 : 0;
    ended += trial.arrived < 5 ? 1 : 0;
  }
  EXPECT_GT(changed, 25);
  EXPECT_GT(ended, 20);
}

INSTANTIATE_TEST_SUITE_P(Transports, DamageTest, testing::Values("tcp", "grpc"),
                         [](const auto& info) { return info.param; });

using GrpcDamageTest = DamageTest;

// HTTP/2's and gRPC's own lengths, stream numbers and flags.
TEST_P(GrpcDamageTest, ChangedFramingEndsTheStream) {
  int changed = 0;
  for (int64_t at = 350; at < 500; at += 3)  // each trial takes a quarter of a second
    changed += Try(at, /*forward=*/true, static_cast<uint8_t>(at % 8)).changed ? 1 : 0;
  EXPECT_GT(changed, 33);
}

INSTANTIATE_TEST_SUITE_P(Transports, GrpcDamageTest, testing::Values("grpc"),
                         [](const auto& info) { return info.param; });

using TcpDamageTest = DamageTest;

TEST_P(TcpDamageTest, BothTasksGetTheSameReason) {
  const Trial trial = Try(/*at=*/1'000'000, /*forward=*/true, 0);
  for (const absl::Status& status : {trial.at_sender, trial.at_receiver}) {
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    for (const char* name : {kSender, kReceiver, "tcp stream", "edge 3", "CRC-32C"})
      EXPECT_TRUE(absl::StrContains(status.message(), name)) << status;
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, TcpDamageTest, testing::Values("tcp"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sluice::transport
