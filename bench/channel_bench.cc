// A 64 MB tensor between two tasks over the gRPC tensor stream, against raw TCP; both ends in this
// process, on loopback.
//
// A round sends the tensor by each road in turn; the medians of the rounds and of their ratios are
// printed.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "core/device.h"
#include "transport/grpc/grpc_server.h"
#include "transport/grpc/grpc_transport.h"

namespace sluice::transport {
namespace {

constexpr int64_t kBytes = 64 << 20;
constexpr int kRounds = 21;

void Check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "channel_bench: %s failed\n", what);
  std::abort();
}

// Keeps the parcel that arrived last until it is taken.
class LastParcel final : public TensorSink {
 public:
  void set_pull(std::function<void(const ParcelId&)> pull) { pull_ = std::move(pull); }
  absl::StatusOr<Tensor> Prepare(const ParcelId&, DType dtype, const Shape& shape) override {
    return Tensor::Allocate(CpuAllocator(), dtype, shape);
  }
  void Deliver(const std::string&, const ParcelId&, Parcel parcel) override {
    absl::MutexLock lock(&mu_);
    parcel_ = std::move(parcel);
  }
  void Announce(const std::string&, const ParcelId& id) override { pull_(id); }
  void Broken(const std::string&, const absl::Status&) override {
  }  // told when we stop; before, Take finds out
  Parcel Take() {
    absl::MutexLock lock(&mu_);
    auto here = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return parcel_.has_value(); };
    Check(mu_.AwaitWithTimeout(absl::Condition(&here), absl::Seconds(60)),
          "waiting for the tensor");
    Parcel parcel = *std::move(parcel_);
    parcel_.reset();
    return parcel;
  }

 private:
  std::function<void(const ParcelId&)> pull_;
  absl::Mutex mu_;
  std::optional<Parcel> parcel_ ABSL_GUARDED_BY(mu_);
};

// A task that listens and has a channel to one other.
struct Task {
  explicit Task(std::string task_name) : name(std::move(task_name)) {
    GrpcTransportOptions options;
    options.task = name;
    options.incarnation = 1;
    transport = *CreateGrpcTransport(options);
    transport->Attach(&sink);
    GrpcServerOptions server;
    server.task = name;
    server.bind_address = "127.0.0.1:0";
    server.incarnation = options.incarnation;
    server.sink = &sink;
    auto made = CreateGrpcServer(server);
    Check(made.ok(), "listening");
    listener = *std::move(made);
  }
  void Connect(const Task& peer) {
    channel =
        *transport->ConnectChannel({peer.name, absl::StrCat("127.0.0.1:", peer.listener->port())});
    sink.set_pull([this](const ParcelId& id) { channel->Pull(id); });
  }

  const std::string name;
  LastParcel sink;
  std::unique_ptr<Transport> transport;
  std::unique_ptr<Listener> listener;
  std::unique_ptr<TensorChannel> channel;
};

class GrpcRoad {
 public:
  GrpcRoad() : a_("/job:a/replica:0/task:0"), b_("/job:b/replica:0/task:0") {
    a_.Connect(b_);
    b_.Connect(a_);
    tensor_ = *Tensor::Allocate(CpuAllocator(), kFloat, Shape({kBytes / 4}));
    for (float& value : tensor_.mutable_flat<float>()) value = 1.0f;
  }
  ~GrpcRoad() {
    for (Task* task : {&a_, &b_}) task->listener->Stop(absl::ZeroDuration());
    for (Task* task : {&a_, &b_}) {
      task->channel.reset();
      task->listener.reset();
    }
  }
  void Send() {
    ParcelId id;
    id.step.number = ++step_;
    id.key.edge = 1;
    Parcel parcel;
    parcel.tensor = tensor_;
    Check(a_.channel->Send(id, std::move(parcel)).ok(), "sending");
    const Parcel arrived = b_.sink.Take();
    b_.channel->Consumed(id.step, ParcelBytes(arrived));
    b_.channel->EndStep(id.step);
    a_.channel->EndStep(id.step);
  }

 private:
  Task a_, b_;
  Tensor tensor_;
  uint64_t step_ = 0;
};

// The receiver answers each tensor with a byte.
class TcpRoad {
 public:
  TcpRoad() : source_(kBytes, 'x'), target_(kBytes) {
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    Check(bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
              listen(listener, 1) == 0,
          "listen");
    getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
    out_ = socket(AF_INET, SOCK_STREAM, 0);
    Check(connect(out_, reinterpret_cast<sockaddr*>(&address), size) == 0, "connect");
    in_ = accept(listener, nullptr, nullptr);
    close(listener);
    receiver_ = std::thread([this] {
      while (ReadAll(in_, target_.data(), kBytes)) Check(write(in_, "k", 1) == 1, "write");
    });
  }
  ~TcpRoad() {
    shutdown(out_, SHUT_RDWR);
    receiver_.join();
    close(out_);
    close(in_);
  }
  void Send() {
    for (int64_t done = 0; done < kBytes;) {
      const ssize_t written = write(out_, source_.data() + done, kBytes - done);
      Check(written > 0, "write");
      done += written;
    }
    char answer;
    Check(ReadAll(out_, &answer, 1), "read");
  }

 private:
  static bool ReadAll(int from, char* to, int64_t bytes) {
    while (bytes > 0) {
      const ssize_t count = read(from, to, bytes);
      if (count <= 0) return false;
      to += count;
      bytes -= count;
    }
    return true;
  }
  int out_ = -1, in_ = -1;
  std::vector<char> source_, target_;
  std::thread receiver_;
};

template <typename Road>
double Seconds(Road& road) {
  const absl::Time start = absl::Now();
  road.Send();
  return absl::ToDoubleSeconds(absl::Now() - start);
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

void Measure() {
  GrpcRoad grpc;
  TcpRoad tcp;
  std::vector<double> ours, theirs, ratios;
  for (int round = -3; round < kRounds; ++round) {
    double mine, raw;
    if (round % 2 == 0) {
      mine = Seconds(grpc);
      raw = Seconds(tcp);
    } else {
      raw = Seconds(tcp);
      mine = Seconds(grpc);
    }
    if (round < 0) continue;  // connections and caches warm up
    ours.push_back(mine);
    theirs.push_back(raw);
    ratios.push_back(raw / mine);
  }
  std::printf(
      "64 MB tensor, gRPC stream %.1f ms (%.2f GB/s), raw TCP %.1f ms (%.2f GB/s): %.2f x raw "
      "TCP's speed\n",
      Median(ours) * 1e3, kBytes / Median(ours) / 1e9, Median(theirs) * 1e3,
      kBytes / Median(theirs) / 1e9, Median(ratios));
}

}  // namespace
}  // namespace sluice::transport

int main() {
  sluice::transport::TuneMalloc();
  sluice::transport::Measure();
}
