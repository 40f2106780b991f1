// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/endpoint.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/match.h"
#include "gtest/gtest.h"
#include "tests/doubles/switchboard.h"
#include "tests/transport/certificates.h"
#include "tests/verbs_double/verbs_double.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/rdma/transport.h"
#include "transport/backends/shm/transport.h"
#include "transport/backends/tcp/transport.h"
#include "transport/rpc/server.h"
#include "transport/selection/transport_table.h"

namespace sluice::transport {
namespace {

// The two sides of every pair: each has a sink and a channel.
template <typename Side>
class PairOf : public Pair {
 public:
  TestSink& a() override { return *a_.sink; }
  TestSink& b() override { return *b_.sink; }
  TensorChannel& a_to_b() override { return *a_.channel; }
  TensorChannel& b_to_a() override { return *b_.channel; }

 protected:
  Side a_, b_;
};

struct GrpcSide {
  std::unique_ptr<TestSink> sink;
  std::unique_ptr<Transport> transport;
  std::shared_ptr<TensorChannel> channel;
  std::unique_ptr<Listener> listener;
  int port = 0;
};

class GrpcPair final : public PairOf<GrpcSide> {
  using Side = GrpcSide;

 public:
  GrpcPair(int64_t credit, Credentials credentials)
      : credit_(credit), credentials_(std::move(credentials)) {
    Start(a_, kA);
    Start(b_, kB);
    Connect(a_, kB, b_);
    Connect(b_, kA, a_);
  }
  ~GrpcPair() override {
    // Shuts down like a server: first nothing more is received, then nothing is sent.
    for (Side* side : {&a_, &b_}) {
      if (side->listener != nullptr) side->listener->Stop(absl::ZeroDuration());
    }
    for (Side* side : {&a_, &b_}) Down(*side);
  }
  void KillB() override {
    b_.listener->Stop(absl::ZeroDuration());
    Down(b_);
  }
  void StartB() override {
    Start(b_, kB);
    Connect(b_, kA, a_);
  }

 private:
  void Start(Side& side, const std::string& task) {
    side.sink = std::make_unique<TestSink>();
    const StreamIdentity self{task, ++incarnation_, credit_};
    side.transport = CreateGrpcTransport({.self = self, .credentials = credentials_});
    side.transport->Attach(side.sink.get());
    GrpcServerOptions server;
    server.task = task;
    server.bind_address = absl::StrCat("127.0.0.1:", side.port);
    server.incarnation = self.incarnation;
    server.sink = side.sink.get();
    server.credentials = credentials_;
    server.mutual_tls = credentials_.tls();
    auto listener = CreateGrpcServer(server);
    EXPECT_TRUE(listener.ok()) << listener.status();
    side.listener = *std::move(listener);
    side.port = side.listener->port();
  }
  void Connect(Side& side, const std::string& peer, const Side& other) {
    side.channel = *side.transport->Connect({peer, absl::StrCat("127.0.0.1:", other.port)}, {});
    side.sink->set_channel([channel = side.channel.get()](const std::string&) { return channel; });
  }
  static void Down(Side& side) {
    side.channel.reset();
    side.listener.reset();
    side.transport.reset();
    side.sink.reset();
  }

  const int64_t credit_;
  const Credentials credentials_;
  uint64_t incarnation_ = 0;
};

struct TransportSide {
  std::unique_ptr<TestSink> sink;
  std::unique_ptr<Transport> transport;
  std::shared_ptr<TensorChannel> channel;
  uint64_t incarnation = 0;
};

// For a transport whose offers gRPC would carry.
class TransportPair final : public PairOf<TransportSide> {
  using Side = TransportSide;

 public:
  TransportPair(MakeTransport make, int64_t credit) : make_(std::move(make)), credit_(credit) {
    Start(a_, kA);
    Start(b_, kB);
    Connect(a_, kA, b_, kB);
    Connect(b_, kB, a_, kA);
  }
  ~TransportPair() override {
    for (Side* side : {&a_, &b_}) {
      if (side->transport != nullptr) side->transport->Stop();
    }
    for (Side* side : {&a_, &b_}) Down(*side);
  }
  void KillB() override {
    b_.transport->Stop();
    Down(b_);
  }
  void StartB() override {
    Start(b_, kB);
    Connect(b_, kB, a_, kA);
    Connect(a_, kA, b_, kB);  // a new offer
  }

 private:
  void Start(Side& side, const std::string& task) {
    side.sink = std::make_unique<TestSink>();
    side.incarnation = ++incarnation_;
    auto transport = make_({task, side.incarnation, credit_});
    EXPECT_TRUE(transport.ok()) << transport.status();
    side.transport = *std::move(transport);
    side.transport->Attach(side.sink.get());
  }
  static void Connect(Side& side, const std::string& task, const Side& other,
                      const std::string& peer) {
    const auto offer = other.transport->Offer({task, side.incarnation, HostId()});
    EXPECT_TRUE(offer.ok()) << offer.status();
    side.channel = *side.transport->Connect({peer, "127.0.0.1:1"}, *offer);
    side.sink->set_channel([&side](const std::string&) { return side.channel.get(); });
  }
  static void Down(Side& side) {
    side.channel.reset();
    side.transport.reset();
    side.sink.reset();
  }

  const MakeTransport make_;
  const int64_t credit_;
  uint64_t incarnation_ = 0;
};

struct SwitchboardSide {
  std::unique_ptr<TestSink> sink;
  std::unique_ptr<Connector> connector;
  std::shared_ptr<TensorChannel> channel;
};

class SwitchboardPair final : public PairOf<SwitchboardSide> {
  using Side = SwitchboardSide;

 public:
  SwitchboardPair() {
    a_.connector = *CreateSwitchboardConnector(kA, board_);
    a_.channel = *a_.connector->ConnectChannel({kB, ""});
    a_.sink = std::make_unique<TestSink>();
    a_.sink->set_channel([this](const std::string&) { return a_.channel.get(); });
    board_->Plug(kA, nullptr, a_.sink.get());
    StartB();
  }
  ~SwitchboardPair() override {
    board_->Unplug(kA);
    board_->Unplug(kB);
  }
  void KillB() override {
    board_->Unplug(kB);
    b_ = {};
  }
  void StartB() override {
    b_.connector = *CreateSwitchboardConnector(kB, board_);
    b_.channel = *b_.connector->ConnectChannel({kA, ""});
    b_.sink = std::make_unique<TestSink>();
    b_.sink->set_channel([this](const std::string&) { return b_.channel.get(); });
    board_->Plug(kB, nullptr, b_.sink.get());
  }

 private:
  const std::shared_ptr<Switchboard> board_ = std::make_shared<Switchboard>();
};

}  // namespace

std::unique_ptr<Pair> CreateGrpcPair(int64_t credit, const Credentials& credentials) {
  return std::make_unique<GrpcPair>(credit, credentials);
}
std::unique_ptr<Pair> CreateTransportPair(MakeTransport make, int64_t credit) {
  return std::make_unique<TransportPair>(std::move(make), credit);
}
std::unique_ptr<Pair> CreatePair(const std::string& name, int64_t credit) {
  if (name == "grpc") return CreateGrpcPair(credit);
  if (name == "grpc_by_tls") return CreateGrpcPair(credit, CredentialsOf("task"));
  if (name == "switchboard") return std::make_unique<SwitchboardPair>();
  const auto loop = std::make_shared<PollLoop>(name);
  if (absl::StartsWith(name, "rdma")) {
    return CreateTransportPair(
        [=](const StreamIdentity& self) {
          RdmaTransportOptions rdma{.self = self, .loop = loop};
          if (const char* device = std::getenv("RDMA_TEST_DEVICE"); device != nullptr)
            rdma.settings.device = device;
          else
            rdma.verbs = &VerbsDouble::Table();
          if (name == "rdma_that_is_short") rdma.arena_bytes = rdma.staging_bytes = 3 << 20;
          return CreateRdmaTransport(rdma);
        },
        credit);
  }
  for (const TransportRow& row : AllTransports()) {
    if (row.name != name) continue;
    return CreateTransportPair(
        [=](const StreamIdentity& self) {
          // Both ends of a stream may share a loop, but not servers of one process.
          return row.create(
              {.self = self,
               .poll = name == "inproc" ? std::make_shared<PollLoop>(self.task) : loop});
        },
        credit);
  }
  return CreateTransportPair(
      [=](const StreamIdentity& self) -> absl::StatusOr<std::unique_ptr<Transport>> {
        if (name == "shm_that_is_short")
          return CreateShmTransport({.self = self, .limit_bytes = 3 << 20, .loop = loop});
        TcpTransportOptions tcp{.self = self, .loop = loop};
        if (name == "tcp_of_four") tcp.connections = 4;
        if (name == "tcp_by_tls") tcp.tls = *CreateTls(CredentialsOf("task"));
        return CreateTcpTransport(tcp);
      },
      credit);
}

std::vector<std::string> TransportsWith(std::vector<std::string> variants) {
  for (const TransportRow& row : AllTransports()) variants.emplace_back(row.name);
  return variants;
}

Tensor Filled(int64_t bytes, uint8_t value) {
  Tensor tensor(kUint8, Shape{bytes});
  std::fill_n(tensor.mutable_data<uint8_t>(), bytes, value);
  return tensor;
}

bool IsFilled(const Tensor& tensor, int64_t bytes, uint8_t value) {
  const auto values = tensor.flat<uint8_t>();
  return tensor.dtype() == kUint8 && tensor.num_elements() == bytes &&
         std::all_of(values.begin(), values.end(), [&](uint8_t v) { return v == value; });
}

}  // namespace sluice::transport
