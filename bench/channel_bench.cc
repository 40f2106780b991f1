// Tensors between two tasks by each road, without the runtime: a large one's bandwidth, a small
// one's latency one way. Peers, in the same rounds: raw TCP with buffers of the same size, a Unix
// socket, memcpy. Both ends are in this process, on loopback.
//
// A round takes every road and peer in turn, backwards every other time; the medians of the rounds
// and of their ratios are printed.
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "core/device.h"
#include "core/thread_pool.h"
#include "transport/grpc/grpc_server.h"
#include "transport/grpc/grpc_transport.h"
#include "transport/poll/poll_loop.h"
#include "transport/shm/shm_road.h"
#include "transport/tcp/tcp_road.h"

namespace sluice::transport {
namespace {

constexpr int64_t kLarge = 64 << 20;
constexpr int kSmall = 4;  // bytes
constexpr int kRounds = 15, kPings = 2000;

void Check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "channel_bench: %s failed\n", what);
  std::abort();
}

template <typename T>
T Checked(absl::StatusOr<T> value, const char* what) {
  Check(value.ok(), what);
  return *std::move(value);
}

// What is measured: one large transfer, and many small ones there and back.
class Contender {
 public:
  virtual ~Contender() = default;
  virtual void SendLarge() = 0;
  virtual void Ping() = 0;
};

// --- ours ---

// Answers what it is told to answer, on the loop that delivered it, and tells of the rest.
class Sink final : public TensorSink {
 public:
  absl::StatusOr<Tensor> Prepare(const ParcelId&, DType dtype, const Shape& shape) override {
    return Tensor::Allocate(CpuAllocator(), dtype, shape);
  }
  void Deliver(const std::string&, const ParcelId& id, Parcel parcel) override {
    if (answers) {
      const bool large = parcel.tensor.num_elements() > kSmall;
      Check(channel->Send(id, {large ? Tensor::Scalar<int32_t>(1) : parcel.tensor}).ok(), "Send");
    }
    arrived.store(id.step.number, std::memory_order_release);
  }
  void Announce(const std::string&, const ParcelId& id) override { channel->Pull(id); }
  void Broken(const std::string&, const absl::Status&) override {}  // told when we stop

  TensorChannel* channel = nullptr;
  bool answers = false;
  std::atomic<uint64_t> arrived{0};
};

class Ours final : public Contender {
 public:
  // Joins the two sinks; what it gives keeps them joined.
  using Join = std::function<std::shared_ptr<void>(Sink* a, Sink* b)>;
  explicit Ours(const Join& join) {
    b_.answers = true;
    tasks_ = join(&a_, &b_);
    large_ = *Tensor::Allocate(CpuAllocator(), kFloat, Shape({kLarge / 4}));
    for (float& value : large_.mutable_flat<float>()) value = 1.0f;
  }
  void SendLarge() override { Send(large_); }
  void Ping() override { Send(small_); }

 private:
  void Send(const Tensor& tensor) {
    ParcelId id;
    id.step = {1, ++step_};
    Check(a_.channel->Send(id, {tensor}).ok(), "Send");
    const absl::Time limit = absl::Now() + absl::Seconds(60);
    for (uint64_t turns = 1; a_.arrived.load(std::memory_order_acquire) != step_; ++turns) {
      if (turns % 64 == 0) std::this_thread::yield();
      if (turns % (1 << 24) == 0) Check(absl::Now() < limit, "waiting for the answer");
    }
    a_.channel->EndStep(id.step);
  }
  Sink a_, b_;
  Tensor large_;
  const Tensor small_ = Tensor::Scalar<int32_t>(7);
  uint64_t step_ = 0;
  std::shared_ptr<void> tasks_;  // goes first
};

constexpr char kA[] = "/job:a/replica:0/task:0", kB[] = "/job:b/replica:0/task:0";

// Keeps what the channels need.
struct GrpcTasks {
  struct Task {
    std::unique_ptr<Transport> transport;
    std::shared_ptr<TensorChannel> channel;
    std::unique_ptr<Listener> listener;
  };
  Task a, b;

  void Start(Task& task, const std::string& name, Sink* sink) {
    GrpcTransportOptions options;
    options.task = name;
    options.incarnation = 1;
    task.transport = Checked(CreateGrpcTransport(options), "gRPC");
    task.transport->Attach(sink);
    GrpcServerOptions server;
    server.task = name;
    server.bind_address = "127.0.0.1:0";
    server.incarnation = 1;
    server.sink = sink;
    task.listener = Checked(CreateGrpcServer(server), "listening");
  }
  static void Connect(Task& task, Sink* sink, const std::string& peer, const Task& other) {
    task.channel = Checked(
        task.transport->ConnectChannel({peer, absl::StrCat("127.0.0.1:", other.listener->port())}),
        "connecting");
    sink->channel = task.channel.get();
  }
  void Join(Sink* sink_a, Sink* sink_b) {
    Start(a, kA, sink_a);
    Start(b, kB, sink_b);
    Connect(a, sink_a, kB, b);
    Connect(b, sink_b, kA, a);
  }
  ~GrpcTasks() {
    for (Task* task : {&a, &b}) task->listener->Stop(absl::ZeroDuration());
    for (Task* task : {&a, &b}) task->channel.reset();
  }
};

struct RoadTasks {
  std::unique_ptr<Road> road_a, road_b;
  std::shared_ptr<TensorChannel> a_to_b, b_to_a;

  void Join(const std::function<absl::StatusOr<std::unique_ptr<Road>>(StreamIdentity)>& make,
            Sink* sink_a, Sink* sink_b) {
    road_a = Checked(make({kA, 1}), "road");
    road_b = Checked(make({kB, 1}), "road");
    road_a->Attach(sink_a);
    road_b->Attach(sink_b);
    a_to_b = Checked(road_a->Connect({kB, "127.0.0.1:1"},
                                     Checked(road_b->Invite({kA, 1, HostId()}), "invitation")),
                     "connecting");
    b_to_a = Checked(road_b->Connect({kA, "127.0.0.1:1"},
                                     Checked(road_a->Invite({kB, 1, HostId()}), "invitation")),
                     "connecting");
    sink_a->channel = a_to_b.get();
    sink_b->channel = b_to_a.get();
  }
  ~RoadTasks() {
    road_a->Stop();
    road_b->Stop();
    a_to_b.reset();
    b_to_a.reset();
  }
};

// --- peers ---

// A socket pair: the other end answers a byte to what is large, and small things as they are.
class Sockets final : public Contender {
 public:
  explicit Sockets(bool tcp) : source_(kLarge, 1), target_(kLarge) {
    if (tcp)
      ConnectTcp();
    else
      Check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) == 0, "socketpair");
    other_ = std::thread([this] {
      int32_t wanted = 0;
      while (ReadAll(ends_[1], &wanted, sizeof(wanted))) {
        if (wanted == kLarge) Check(ReadAll(ends_[1], target_.data(), kLarge), "read");
        Check(write(ends_[1], &wanted, sizeof(wanted)) == sizeof(wanted), "write");
      }
    });
  }
  ~Sockets() override {
    shutdown(ends_[0], SHUT_RDWR);
    other_.join();
    close(ends_[0]);
    close(ends_[1]);
  }
  void SendLarge() override {
    const int32_t size = kLarge;
    Check(write(ends_[0], &size, sizeof(size)) == sizeof(size), "write");
    for (int64_t done = 0; done < kLarge;) {
      const ssize_t written = write(ends_[0], source_.data() + done, kLarge - done);
      Check(written > 0, "write");
      done += written;
    }
    Answer();
  }
  void Ping() override {
    const int32_t small = 1;
    Check(write(ends_[0], &small, sizeof(small)) == sizeof(small), "write");
    Answer();
  }

 private:
  void ConnectTcp() {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* any = reinterpret_cast<sockaddr*>(&address);
    Check(bind(listener, any, size) == 0 && listen(listener, 1) == 0, "listen");
    getsockname(listener, any, &size);
    ends_[0] = socket(AF_INET, SOCK_STREAM, 0);
    Check(connect(ends_[0], any, size) == 0, "connect");
    ends_[1] = accept(listener, nullptr, nullptr);
    close(listener);
    const int yes = 1;
    for (int end : ends_) setsockopt(end, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  }
  static bool ReadAll(int from, void* to, int64_t bytes) {
    for (char* at = static_cast<char*>(to); bytes > 0;) {
      const ssize_t count = read(from, at, bytes);
      if (count <= 0) return false;
      at += count;
      bytes -= count;
    }
    return true;
  }
  void Answer() {
    int32_t answer = 0;
    Check(ReadAll(ends_[0], &answer, sizeof(answer)), "read");
  }
  int ends_[2] = {-1, -1};
  std::vector<char> source_, target_;
  std::thread other_;
};

// A core that writes what another looks at: what memory alone costs.
class Memory final : public Contender {
 public:
  Memory() : source_(kLarge, 1), target_(kLarge) {
    other_ = std::thread([this] {
      for (uint32_t next = 1;; ++next) {
        for (int turns = 1; ping_.load(std::memory_order_acquire) != next; ++turns) {
          if (over_.load()) return;
          if (turns % 4096 == 0) std::this_thread::yield();
        }
        pong_.store(next, std::memory_order_release);
      }
    });
  }
  ~Memory() override {
    over_.store(true);
    other_.join();
  }
  void SendLarge() override { std::memcpy(target_.data(), source_.data(), kLarge); }
  void Ping() override {
    ping_.store(++step_, std::memory_order_release);
    while (pong_.load(std::memory_order_acquire) != step_) {
    }
  }

 private:
  std::vector<char> source_, target_;
  alignas(64) std::atomic<uint32_t> ping_{0};
  alignas(64) std::atomic<uint32_t> pong_{0};
  std::atomic<bool> over_{false};
  uint32_t step_ = 0;
  std::thread other_;
};

// --- measuring ---

struct Line {
  std::string name;
  Contender* contender;
  std::vector<double> large, small;  // seconds; small: one way
};

double SecondsOf(const std::function<void()>& call) {
  const absl::Time start = absl::Now();
  call();
  return absl::ToDoubleSeconds(absl::Now() - start);
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// How many times as fast as the peer.
double Ratio(const std::vector<double>& mine, const std::vector<double>& peer) {
  std::vector<double> ratios;
  for (size_t i = 0; i < mine.size(); ++i) ratios.push_back(peer[i] / mine[i]);
  return Median(ratios);
}

void Measure() {
  const auto loop = std::make_shared<PollLoop>("roads");
  const auto busy = std::make_shared<PollLoop>("busy", absl::Milliseconds(1));
  const std::shared_ptr<WorkQueue> copier = CreateThreadPool(1, "copier");
  const auto road = [](auto make) {
    return [make](Sink* a, Sink* b) {
      auto tasks = std::make_shared<RoadTasks>();
      tasks->Join(make, a, b);
      return tasks;
    };
  };
  Ours by_grpc([](Sink* a, Sink* b) {
    auto tasks = std::make_shared<GrpcTasks>();
    tasks->Join(a, b);
    return tasks;
  });
  Ours by_tcp(road(
      [&](const StreamIdentity& self) { return CreateTcpRoad({.self = self, .loop = loop}); }));
  Ours by_shm(road([&](const StreamIdentity& self) {
    return CreateShmRoad({.self = self, .loop = loop, .copier = copier});
  }));
  Ours by_busy_shm(road([&](const StreamIdentity& self) {
    return CreateShmRoad({.self = self, .loop = busy, .copier = copier});
  }));
  Sockets raw_tcp(/*tcp=*/true), unix_socket(/*tcp=*/false);
  Memory memory;
  std::vector<Line> lines = {{"grpc", &by_grpc, {}, {}},    {"tcp", &by_tcp, {}, {}},
                             {"shm", &by_shm, {}, {}},      {"shm, spinning", &by_busy_shm, {}, {}},
                             {"raw TCP", &raw_tcp, {}, {}}, {"Unix socket", &unix_socket, {}, {}},
                             {"memory", &memory, {}, {}}};
  for (int round = -2; round < kRounds; ++round) {
    for (size_t i = 0; i < lines.size(); ++i) {
      Line& line = lines[round % 2 == 0 ? i : lines.size() - 1 - i];
      const double large = SecondsOf([&] { line.contender->SendLarge(); });
      const double small = SecondsOf([&] {
        for (int ping = 0; ping < kPings; ++ping) line.contender->Ping();
      });
      if (round < 0) continue;  // connections and caches warm up
      line.large.push_back(large);
      line.small.push_back(small / kPings / 2);
    }
  }
  std::printf("%-14s %10s %9s %9s %12s %9s %9s %9s\n", "", "64 MB", "x raw TCP", "x memcpy",
              "4 B one way", "x raw TCP", "x Unix", "x memory");
  for (const Line& line : lines) {
    std::printf("%-14s %5.2f GB/s %9.2f %9.2f %9.2f us %9.2f %9.2f %9.2f\n", line.name.c_str(),
                kLarge / Median(line.large) / 1e9, Ratio(line.large, lines[4].large),
                Ratio(line.large, lines[6].large), Median(line.small) * 1e6,
                1 / Ratio(line.small, lines[4].small), 1 / Ratio(line.small, lines[5].small),
                1 / Ratio(line.small, lines[6].small));
  }
}

}  // namespace
}  // namespace sluice::transport

int main() {
  sluice::transport::TuneMalloc();
  sluice::transport::Measure();
}
