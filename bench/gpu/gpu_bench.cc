// SPDX-License-Identifier: Apache-2.0
// Copies and launches on GPU 0, by our device and session and by bare calls of the CUDA runtime, in
// turns. Prints the medians and the speed of ours relative to the bare calls.
//
//   gpu_bench [--megabytes N] [--kernels N] [--rounds N] [--json FILE]
//   gpu_bench --describe    prints the GPU
//
// The timeline is of a step's kernels and of the next batch's copy, which begins when the kernels
// are in the stream. The chain of kernels is a session's step: nodes on the GPU that each wait for
// the one before. The bare launches are of the same kernel, in one stream.
#include <cuda_runtime_api.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/graph.h"
#include "client/session.h"
#include "core/device/cuda_device.h"
#include "core/device/cuda_status.h"
#include "core/device/gpu_devices.h"
#include "kernels/cuda/common/unary.h"

namespace sluice {
namespace {

constexpr int64_t kElements = 16;  // of the chain's tensors
constexpr int kCopiesWithin = 16;  // of one round

void Check(const absl::Status& status, const char* what) {
  if (status.ok()) return;
  std::fprintf(stderr, "gpu_bench: %s: %s\n", what, status.ToString().c_str());
  std::exit(1);
}
void Check(cudaError_t error, const char* what) { Check(cuda::ToStatus(error, what), what); }

template <typename T>
T OrDie(absl::StatusOr<T> value, const char* what) {
  Check(value.status(), what);
  return *std::move(value);
}

struct Settings {
  int64_t megabytes = 64;
  int kernels = 10'000, rounds = 21;
  bool describe = false;
  std::string json;
};

double Microseconds(const std::function<void()>& work) {
  const absl::Time start = absl::Now();
  work();
  return absl::ToDoubleMicroseconds(absl::Now() - start);
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

// Runs both in turns, after one round that does not count, and prints the result.
nlohmann::json Compare(const char* name, int rounds, double least, std::function<void()> ours,
                       std::function<void()> bare) {
  std::vector<double> our_times, bare_times;
  for (int round = 0; round <= rounds; ++round) {
    const double our_time = Microseconds(ours), bare_time = Microseconds(bare);
    if (round == 0) continue;
    our_times.push_back(our_time);
    bare_times.push_back(bare_time);
  }
  const double our_time = Median(our_times), bare_time = Median(bare_times);
  const double speed = bare_time / our_time;
  std::printf("%-34s %11.1f us, bare %11.1f us: speed %.3f of bare, %s %.3f\n", name, our_time,
              bare_time, speed, speed >= least ? "at least" : "BELOW", least);
  std::fflush(stdout);
  return {{"name", name},   {"us", our_time}, {"bare_us", bare_time},
          {"speed", speed}, {"bar", least},   {"reached", speed >= least}};
}

// Starts a copy of the device and waits for its end.
void Await(const std::function<void(absl::AnyInvocable<void(absl::StatusOr<Tensor>)>)>& begin) {
  absl::Notification ended;
  absl::Status status;
  begin([&](absl::StatusOr<Tensor> copy) {
    status = copy.status();
    ended.Notify();
  });
  ended.WaitForNotification();
  Check(status, "copying");
}

void AwaitDevice(Device& device) {
  absl::Notification ended;
  device.Sync([&](absl::Status status) {
    Check(status, "waiting for the GPU");
    ended.Notify();
  });
  ended.WaitForNotification();
}

// Copies by the device, against cudaMemcpyAsync of pinned memory.
void CompareCopies(Device& device, const Settings& settings, nlohmann::json& results) {
  const int64_t bytes = settings.megabytes << 20;
  const Tensor host =
      OrDie(Tensor::Allocate(*device.transfer_allocator(), kUint8, Shape{bytes}), "pinned memory");
  std::fill_n(static_cast<char*>(host.raw()), bytes, 7);
  Tensor there;
  Await([&](auto done) {
    device.CopyFromHost(host, [&, done = std::move(done)](absl::StatusOr<Tensor> copy) mutable {
      if (copy.ok()) there = *copy;
      done(std::move(copy));
    });
  });

  void *pinned = nullptr, *from = nullptr, *to = nullptr;
  cudaStream_t stream = nullptr;
  Check(cudaSetDevice(0), "choosing GPU 0");
  Check(cudaHostAlloc(&pinned, bytes, cudaHostAllocPortable), "pinned memory");
  Check(cudaMalloc(&from, bytes), "memory of the GPU");
  Check(cudaMalloc(&to, bytes), "memory of the GPU");
  Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  std::fill_n(static_cast<char*>(pinned), bytes, 7);
  Check(cudaMemset(from, 7, bytes), "filling");
  const auto bare = [&](void* target, const void* source, cudaMemcpyKind kind) {
    return [=] {
      Check(cudaMemcpyAsync(target, source, bytes, kind, stream), "copying");
      Check(cudaStreamSynchronize(stream), "copying");
    };
  };
  constexpr double kLeast = 0.95;
  results.push_back(Compare(
      "copy to the GPU", settings.rounds, kLeast,
      [&] { Await([&](auto done) { device.CopyFromHost(host, std::move(done)); }); },
      bare(to, pinned, cudaMemcpyHostToDevice)));
  results.push_back(Compare(
      "copy to the host", settings.rounds, kLeast,
      [&] { Await([&](auto done) { device.CopyToHost(there, std::move(done)); }); },
      bare(pinned, from, cudaMemcpyDeviceToHost)));
  // Nobody waits for a copy within the GPU: what uses it comes later in the stream. So many are
  // measured together, or the wait at their end would be a large part of the time.
  const std::string within = Cat(kCopiesWithin, " copies within the GPU");
  results.push_back(Compare(
      within.c_str(), settings.rounds, kLeast,
      [&] {
        for (int i = 0; i < kCopiesWithin; ++i)
          const Tensor copy = OrDie(device.CopyWithin(there), "copying");
        AwaitDevice(device);
      },
      [&] {
        for (int i = 0; i < kCopiesWithin; ++i) {
          Check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "copying");
        }
        Check(cudaStreamSynchronize(stream), "copying");
      }));
  Check(cudaStreamDestroy(stream), "ending");
  Check(cudaFree(from), "ending");
  Check(cudaFree(to), "ending");
  Check(cudaFreeHost(pinned), "ending");
}

// The times of a step's kernels and of the next batch's copy, in us since the step began.
struct Timeline {
  double kernels_end = 0, copy_begin = 0, copy_end = 0;
};

Timeline Record(Device& device, const std::function<void()>& kernels, const Tensor& batch) {
  Timeline timeline;
  const absl::Time start = absl::Now();
  const auto since = [start] { return absl::ToDoubleMicroseconds(absl::Now() - start); };
  absl::Notification computed, copied;
  kernels();
  device.Sync([&](const absl::Status& status) {
    Check(status, "waiting for the kernels");
    timeline.kernels_end = since();
    computed.Notify();
  });
  timeline.copy_begin = since();
  device.CopyFromHost(batch, [&](const absl::StatusOr<Tensor>& copy) {
    Check(copy.status(), "copying");
    timeline.copy_end = since();
    copied.Notify();
  });
  computed.WaitForNotification();
  copied.WaitForNotification();
  return timeline;
}

void PrintBar(const char* what, double begin, double end, double whole) {
  constexpr int kWidth = 50;
  const int first = static_cast<int>(begin / whole * kWidth);
  const int length = std::max(1, static_cast<int>(end / whole * kWidth) - first);
  std::printf("  %-22s %9.1f .. %9.1f us %s%s\n", what, begin, end, std::string(first, ' ').c_str(),
              std::string(length, '#').c_str());
}

// The kernels of a step with the copy of the next batch under them, against the kernels alone,
// which take about four times as long as the copy.
void CompareOverlap(Device& device, const Settings& settings, nlohmann::json& results) {
  const int64_t bytes = settings.megabytes << 20, n = bytes / static_cast<int64_t>(sizeof(float));
  const Tensor batch =
      OrDie(Tensor::Allocate(*device.transfer_allocator(), kFloat, Shape{n}), "pinned memory");
  std::fill_n(static_cast<float*>(batch.raw()), n, 0.5f);
  const Tensor data =
      OrDie(Tensor::Allocate(device.allocator(), kFloat, Shape{n}), "memory of the GPU");
  int count = 1;
  const auto kernels = [&] {
    Check(cudaMemsetAsync(data.raw(), 0, bytes, cuda::StreamOf(device)), "filling");
    for (int i = 0; i < count; ++i) {
      Check(cuda::LaunchUnary(cuda::UnaryOp::kTanh, cuda::Element::kFloat, data.raw(), data.raw(),
                              n, cuda::StreamOf(device)),
            "launching");
    }
  };
  const auto alone = [&] {
    kernels();
    AwaitDevice(device);
  };
  const auto copy = [&] { Await([&](auto done) { device.CopyFromHost(batch, std::move(done)); }); };
  alone(), copy();
  const double one = Microseconds(alone), copy_alone = Microseconds(copy);
  count = std::clamp(static_cast<int>(4 * copy_alone / one), 1, 1000);
  Timeline last;
  results.push_back(Compare(
      "kernels with a copy under them", settings.rounds, 0.95,
      [&] { last = Record(device, kernels, batch); }, alone));
  const double whole = std::max(last.kernels_end, last.copy_end);
  std::printf("a step, and the next batch's copy, which takes %.1f us alone:\n", copy_alone);
  PrintBar("kernels", 0, last.kernels_end, whole);
  PrintBar("copy of the next batch", last.copy_begin, last.copy_end, whole);
  results.back()["timeline"] = {{"kernels_end_us", last.kernels_end},
                                {"copy_begin_us", last.copy_begin},
                                {"copy_end_us", last.copy_end},
                                {"copy_alone_us", copy_alone}};
}

// A step with a chain of nodes, against launches of their kernel one after the other.
void CompareLaunches(const Settings& settings, nlohmann::json& results) {
  client::Graph graph;
  const auto add = [&](const char* op, const std::vector<client::Output>& inputs, AttrMap attrs,
                       std::string name) {
    client::Graph::NodeOptions options;
    options.name = std::move(name);
    options.device = "/device:GPU:0";
    return OrDie(graph.AddNode(op, inputs, std::move(attrs), options), "building the graph");
  };
  graph::Node* last = add("Placeholder", {}, {{"dtype", kFloat}}, "x");
  for (int i = 0; i < settings.kernels; ++i)
    last = add("Tanh", {client::Output{last, 0}}, {}, Cat("y", i));
  const auto session = OrDie(client::Session::Create(&graph, {}), "opening a session");
  const Tensor x = Tensor::Vector<float>(std::vector<float>(kElements, 0.5f));
  const auto step = [&] {
    Check(session->Run({{"x:0", x}}, {}, {last->name()}).status(), "running the chain");
  };

  void *from = nullptr, *to = nullptr;
  cudaStream_t stream = nullptr;
  Check(cudaSetDevice(0), "choosing GPU 0");
  Check(cudaMalloc(&from, kElements * sizeof(float)), "memory of the GPU");
  Check(cudaMalloc(&to, kElements * sizeof(float)), "memory of the GPU");
  Check(cudaMemset(from, 0, kElements * sizeof(float)), "filling");
  Check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "a stream");
  const auto launches = [&] {
    for (int i = 0; i < settings.kernels; ++i) {
      Check(cuda::LaunchUnary(cuda::UnaryOp::kTanh, cuda::Element::kFloat, from, to, kElements,
                              stream),
            "launching");
    }
    Check(cudaStreamSynchronize(stream), "launching");
  };
  const std::string name = Cat("chain of ", settings.kernels, " kernels");
  results.push_back(Compare(name.c_str(), settings.rounds, 1 / 1.3, step, launches));
  Check(cudaStreamDestroy(stream), "ending");
  Check(cudaFree(from), "ending");
  Check(cudaFree(to), "ending");
}

int Run(const Settings& settings) {
  auto devices = CreateGpuDevices({.visible = "0"}, "/job:bench/replica:0/task:0", nullptr);
  if (!devices.ok()) {
    std::printf("no GPU: %s\n", std::string(devices.status().message()).c_str());
    return 2;
  }
  const std::string gpu = devices->front()->attributes().description;
  std::printf("%s\n", gpu.c_str());
  if (settings.describe) return 0;
  nlohmann::json results = nlohmann::json::array();
  CompareCopies(*devices->front(), settings, results);
  CompareOverlap(*devices->front(), settings, results);
  devices->clear();
  CompareLaunches(settings, results);
  if (!settings.json.empty()) std::ofstream(settings.json) << results.dump(1) << "\n";
  return 0;
}

}  // namespace
}  // namespace sluice

int main(int argc, char** argv) {
  CLI::App app("Copies and launches on a GPU, against bare calls of the CUDA runtime.");
  sluice::Settings settings;
  app.add_option("--megabytes", settings.megabytes, "size of each copy")->capture_default_str();
  app.add_option("--kernels", settings.kernels, "length of the chain")->capture_default_str();
  app.add_option("--rounds", settings.rounds, "rounds of each comparison")->capture_default_str();
  app.add_option("--json", settings.json, "file for the results");
  app.add_flag("--describe", settings.describe, "print the GPU, and measure nothing");
  CLI11_PARSE(app, argc, argv);
  return sluice::Run(settings);
}
