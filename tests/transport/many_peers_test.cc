// SPDX-License-Identifier: Apache-2.0
// The cost of peers that send nothing: neither threads nor time.
#include <sys/resource.h>

#include <filesystem>

#include "absl/time/clock.h"
#include "gtest/gtest.h"
#include "tests/transport/endpoint.h"
#include "tests/verbs_double/verbs_double.h"
#include "transport/backends/grpc/transport.h"
#include "transport/backends/rdma/transport.h"
#include "transport/backends/shm/transport.h"
#include "transport/backends/tcp/transport.h"
#include "transport/rpc/server.h"

namespace sluice::transport {
namespace {

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";

// The task answers to any name, so that two tasks can act as many peers.
class AnybodysSink final : public TestSink {
 public:
  bool KnownAs(const std::string&) const override { return true; }
};

// One of the two tasks. A channel goes to the other one, which knows its sender as `as`.
struct Task {
  virtual ~Task() = default;
  virtual std::shared_ptr<TensorChannel> ChannelTo(Task& other, const std::string& as) = 0;
  virtual void Stop() = 0;
  AnybodysSink sink;
};

struct GrpcTask final : Task {
  explicit GrpcTask(const std::string& task) : task(task) {
    const std::shared_ptr<EventLoop> loop = std::make_shared<EventLoop>();
    transport = CreateGrpcTransport({.self = {task}, .loop = loop});
    transport->Attach(&sink);
    GrpcServerOptions server;
    server.task = task;
    server.bind_address = "127.0.0.1:0";
    server.sink = &sink;
    server.loop = loop;
    listener = *CreateGrpcServer(server);
  }
  std::shared_ptr<TensorChannel> ChannelTo(Task& other, const std::string& as) override {
    const auto& peer = dynamic_cast<GrpcTask&>(other);
    return *transport->Connect({peer.task, absl::StrCat("127.0.0.1:", peer.listener->port()), as},
                               {});
  }
  void Stop() override { listener->Stop(absl::ZeroDuration()); }
  const std::string task;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Listener> listener;
};

struct TransportTask final : Task {
  TransportTask(const std::string& task, const std::string& name) : task(task) {
    const auto loop = std::make_shared<PollLoop>(name);
    const StreamIdentity self{task, 1};
    if (name == "shm")
      transport = *CreateShmTransport({.self = self, .loop = loop});
    else if (name == "tcp")
      transport = *CreateTcpTransport({.self = self, .loop = loop});
    else
      transport =
          *CreateRdmaTransport({.self = self, .loop = loop, .verbs = &VerbsDouble::Table()});
    transport->Attach(&sink);
  }
  std::shared_ptr<TensorChannel> ChannelTo(Task& other, const std::string& as) override {
    const auto& peer = dynamic_cast<TransportTask&>(other);
    return *transport->Connect({peer.task, "127.0.0.1:1", as},
                               *peer.transport->Offer({as, 1, HostId()}));
  }
  void Stop() override { transport->Stop(); }
  const std::string task;
  std::unique_ptr<Transport> transport;
};

std::unique_ptr<Task> CreateTask(const std::string& task, const std::string& transport) {
  if (transport == "grpc") return std::make_unique<GrpcTask>(task);
  return std::make_unique<TransportTask>(task, transport);
}

int64_t Threads() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

absl::Duration CpuTime() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return absl::DurationFromTimeval(used.ru_utime) + absl::DurationFromTimeval(used.ru_stime);
}

class ManyPeersTest : public testing::TestWithParam<std::string> {
 protected:
  ~ManyPeersTest() override {
    a_->Stop();
    b_->Stop();
    channels_.clear();
  }
  // Sends tensors in both directions under `count` more names.
  void Meet(int count) {
    for (const int last = peers_ + count; peers_ < last; ++peers_) {
      Send(*a_, *b_, absl::StrCat(kA, "#", peers_));
      Send(*b_, *a_, absl::StrCat(kB, "#", peers_));
    }
  }
  void Send(Task& from, Task& to, const std::string& as) {
    channels_.push_back(from.ChannelTo(to, as));
    to.sink.set_channel([channel = channels_.back().get()](const std::string&) { return channel; });
    const ParcelId id{{1, 1}, EdgeKey{channels_.size(), 0, 0, 0}};
    ASSERT_TRUE(channels_.back()->Send(id, {Tensor::Scalar<float>(1)}).ok());
    ASSERT_TRUE(to.sink.Take(as, id).ok());
  }

  const std::unique_ptr<Task> a_ = CreateTask(kA, GetParam()), b_ = CreateTask(kB, GetParam());
  int peers_ = 0;
  std::vector<std::shared_ptr<TensorChannel>> channels_;
};

TEST_P(ManyPeersTest, AHundredCostNoThreadsAndNoTime) {
  Meet(2);
  const int64_t threads = Threads();
  Meet(98);
  EXPECT_LE(Threads(), threads + 2);  // gRPC's own threads vary
  const absl::Duration before = CpuTime();
  absl::SleepFor(absl::Seconds(1));  // the measured time
  const absl::Duration idle = CpuTime() - before;
  std::cout << GetParam() << ": " << Threads() << " threads, " << idle << " of 1 s idle\n";
  EXPECT_LT(idle, absl::Milliseconds(50));
}

INSTANTIATE_TEST_SUITE_P(Transports, ManyPeersTest, testing::Values("grpc", "tcp", "shm", "rdma"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace sluice::transport
