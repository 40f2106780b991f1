#include "tests/transport/endpoint.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "tests/transport/certificates.h"
#include "transport/grpc/grpc_server.h"
#include "transport/grpc/grpc_transport.h"
#include "transport/inproc/inproc_road.h"
#include "transport/inproc/switchboard.h"
#include "transport/shm/shm_road.h"
#include "transport/tcp/tcp_road.h"

namespace sluice::transport {
namespace {

// What every pair does with its two sides, each of which has a sink and a channel.
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
    // As a server goes down: no more comes in, then nothing goes out.
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
    GrpcTransportOptions options;
    options.task = task;
    options.incarnation = ++incarnation_;
    options.credit_bytes = credit_;
    options.credentials = credentials_;
    side.transport = *CreateGrpcTransport(options);
    side.transport->Attach(side.sink.get());
    GrpcServerOptions server;
    server.task = task;
    server.bind_address = absl::StrCat("127.0.0.1:", side.port);
    server.incarnation = options.incarnation;
    server.sink = side.sink.get();
    server.credentials = credentials_;
    server.mutual_tls = credentials_.tls();
    auto listener = CreateGrpcServer(server);
    EXPECT_TRUE(listener.ok()) << listener.status();
    side.listener = *std::move(listener);
    side.port = side.listener->port();
  }
  void Connect(Side& side, const std::string& peer, const Side& other) {
    side.channel = *side.transport->ConnectChannel({peer, absl::StrCat("127.0.0.1:", other.port)});
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

struct RoadSide {
  std::unique_ptr<TestSink> sink;
  std::unique_ptr<Road> road;
  std::shared_ptr<TensorChannel> channel;
  uint64_t incarnation = 0;
};

// Over a road to which gRPC would have introduced the two.
class RoadPair final : public PairOf<RoadSide> {
  using Side = RoadSide;

 public:
  RoadPair(MakeRoad make, int64_t credit) : make_(std::move(make)), credit_(credit) {
    Start(a_, kA);
    Start(b_, kB);
    Connect(a_, kA, b_, kB);
    Connect(b_, kB, a_, kA);
  }
  ~RoadPair() override {
    for (Side* side : {&a_, &b_}) {
      if (side->road != nullptr) side->road->Stop();
    }
    for (Side* side : {&a_, &b_}) Down(*side);
  }
  void KillB() override {
    b_.road->Stop();
    Down(b_);
  }
  void StartB() override {
    Start(b_, kB);
    Connect(b_, kB, a_, kA);
    Connect(a_, kA, b_, kB);  // a new invitation
  }

 private:
  void Start(Side& side, const std::string& task) {
    side.sink = std::make_unique<TestSink>();
    side.incarnation = ++incarnation_;
    auto road = make_({task, side.incarnation, credit_});
    EXPECT_TRUE(road.ok()) << road.status();
    side.road = *std::move(road);
    side.road->Attach(side.sink.get());
  }
  static void Connect(Side& side, const std::string& task, const Side& other,
                      const std::string& peer) {
    const auto invitation = other.road->Invite({task, side.incarnation, HostId()});
    EXPECT_TRUE(invitation.ok()) << invitation.status();
    side.channel = *side.road->Connect({peer, "127.0.0.1:1"}, *invitation);
    side.sink->set_channel([&side](const std::string&) { return side.channel.get(); });
  }
  static void Down(Side& side) {
    side.channel.reset();
    side.road.reset();
    side.sink.reset();
  }

  const MakeRoad make_;
  const int64_t credit_;
  uint64_t incarnation_ = 0;
};

struct InprocSide {
  std::unique_ptr<TestSink> sink;
  std::unique_ptr<Transport> transport;
  std::shared_ptr<TensorChannel> channel;
};

class InprocPair final : public PairOf<InprocSide> {
  using Side = InprocSide;

 public:
  InprocPair() {
    a_.transport = *CreateInprocTransport(kA, board_);
    a_.channel = *a_.transport->ConnectChannel({kB, ""});
    a_.sink = std::make_unique<TestSink>();
    a_.sink->set_channel([this](const std::string&) { return a_.channel.get(); });
    board_->Plug(kA, nullptr, a_.sink.get());
    StartB();
  }
  ~InprocPair() override {
    board_->Unplug(kA);
    board_->Unplug(kB);
  }
  void KillB() override {
    board_->Unplug(kB);
    b_ = {};
  }
  void StartB() override {
    b_.transport = *CreateInprocTransport(kB, board_);
    b_.channel = *b_.transport->ConnectChannel({kA, ""});
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
std::unique_ptr<Pair> CreateRoadPair(MakeRoad make, int64_t credit) {
  return std::make_unique<RoadPair>(std::move(make), credit);
}
std::unique_ptr<Pair> CreatePair(const std::string& road, int64_t credit) {
  if (road == "grpc") return CreateGrpcPair(credit);
  if (road == "grpc_by_tls") return CreateGrpcPair(credit, CredentialsOf("task"));
  if (road == "inproc") return std::make_unique<InprocPair>();
  auto loop = std::make_shared<PollLoop>(road);
  if (road == "inproc_road") {
    return CreateRoadPair(
        [](const StreamIdentity& self) {
          return CreateInprocRoad({.self = self, .loop = std::make_shared<PollLoop>(self.task)});
        },
        credit);
  }
  const std::shared_ptr<WorkQueue> copier = CreateThreadPool(1, "copier");
  return CreateRoadPair(
      [=](const StreamIdentity& self) {
        if (road == "shm") return CreateShmRoad({.self = self, .loop = loop, .copier = copier});
        if (road == "shm_that_is_short")
          return CreateShmRoad({.self = self, .limit_bytes = 3 << 20, .loop = loop});
        TcpRoadOptions tcp{.self = self, .loop = loop};
        if (road == "tcp_of_four") tcp.connections = 4;
        if (road == "tcp_by_tls") tcp.tls = *CreateTls(CredentialsOf("task"));
        return CreateTcpRoad(tcp);
      },
      credit);
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
