// SPDX-License-Identifier: Apache-2.0
// The latency of a step without work one hop away: client and master in this process, the worker in
// another. It is compared with a raw gRPC unary echo between the same two processes.
//
// Each process is pinned to its own core, and both transports run in the same two processes. A
// round measures them in turn; the medians of the rounds and of their ratios are printed.
#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "bench/free_port.h"
#include "client/graph.h"
#include "client/session.h"
#include "server/server.h"

namespace sluice {
namespace {

constexpr int kRounds = 21;
constexpr int kCalls = 500;     // calls per round
constexpr int kConcurrent = 8;  // callers, for calls per second

void Check(bool good, const std::string& what) {
  if (good) return;
  std::fprintf(stderr, "remote_step_bench: %s failed\n", what.c_str());
  std::exit(1);
}

void PinTo(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core % std::max(1u, std::thread::hardware_concurrency()), &cores);
  Check(sched_setaffinity(0, sizeof(cores), &cores) == 0, "sched_setaffinity");
}

struct Ports {
  int tasks[2];
  int echo;
};

std::unique_ptr<server::Server> StartTask(const Ports& ports, int task) {
  server::ServerOptions options;
  const std::string spec = absl::StrCat("{\"worker\":[\"localhost:", ports.tasks[0],
                                        "\",\"localhost:", ports.tasks[1], "\"]}");
  options.cluster = *server::ClusterSpec::Parse(spec);
  options.job = "worker";
  options.task = task;
  auto server = server::Server::Start(options);
  Check(server.ok(), absl::StrCat("starting a task: ", server.status().ToString()));
  return *std::move(server);
}

// --- the other process ---

// Answers every call with its own bytes, from one thread.
[[noreturn]] void ServeEcho(int port) {
  struct Call {
    grpc::GenericServerContext context;
    grpc::GenericServerAsyncReaderWriter stream{&context};
    grpc::ByteBuffer bytes;
    enum { kArrived, kRead, kWritten } next = kArrived;
  };
  grpc::AsyncGenericService service;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(absl::StrCat("127.0.0.1:", port), grpc::InsecureServerCredentials());
  builder.RegisterAsyncGenericService(&service);
  const auto queue = builder.AddCompletionQueue();
  const auto server = builder.BuildAndStart();
  Check(server != nullptr, "listening for the echo");
  const auto expect = [&] {
    auto* call = new Call;
    service.RequestCall(&call->context, &call->stream, queue.get(), queue.get(), call);
  };
  for (int i = 0; i < 2 * kConcurrent; ++i) expect();
  for (void* tag; true;) {
    bool ok = false;
    Check(queue->Next(&tag, &ok), "waiting for a call");
    auto* call = static_cast<Call*>(tag);
    if (call->next == Call::kWritten || !ok) {
      delete call;
    } else if (call->next == Call::kArrived) {
      expect();
      call->next = Call::kRead;
      call->stream.Read(&call->bytes, call);
    } else {
      call->next = Call::kWritten;
      call->stream.WriteAndFinish(call->bytes, grpc::WriteOptions(), grpc::Status::OK, call);
    }
  }
}

[[noreturn]] void OtherProcess(const Ports& ports) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  PinTo(1);
  const auto task = StartTask(ports, 1);
  ServeEcho(ports.echo);
}

// --- this process ---

class Echo {
 public:
  explicit Echo(int port)
      : stub_(grpc::CreateChannel(absl::StrCat("127.0.0.1:", port),
                                  grpc::InsecureChannelCredentials())) {}
  void Call() {
    thread_local grpc::CompletionQueue queue;
    grpc::ClientContext context;
    context.set_wait_for_ready(true);
    const std::string payload(48, 'x');  // about the size of a RunGraph
    grpc::Slice slice(payload);
    grpc::ByteBuffer request(&slice, 1), answer;
    grpc::Status status;
    auto call = stub_.PrepareUnaryCall(&context, "/bench/Echo", request, &queue);
    call->StartCall();
    call->Finish(&answer, &status, this);
    void* tag;
    bool ok;
    Check(queue.Next(&tag, &ok) && status.ok(), "the echo");
  }

 private:
  grpc::GenericStub stub_;
};

class NullStep {
 public:
  explicit NullStep(server::Server* server) {
    const auto node =
        graph_.AddNode("NoOp", {}, {}, {.name = "nothing", .device = "/job:worker/task:1"});
    Check(node.ok(), "adding a node");
    client::SessionOptions options;
    options.server = server;
    auto session = client::Session::Create(&graph_, options);
    Check(session.ok(), "opening a session");
    session_ = *std::move(session);
  }
  void Call() {
    const auto answer = session_->Run({}, {}, {"nothing"});
    Check(answer.ok(), absl::StrCat("the step: ", answer.status().ToString()));
  }

 private:
  client::Graph graph_;
  std::unique_ptr<client::Session> session_;
};

// Microseconds from call to answer with one caller: the median of kCalls.
template <typename Transport>
double Latency(Transport& transport) {
  std::vector<double> micros(kCalls);
  for (double& each : micros) {
    const absl::Time start = absl::Now();
    transport.Call();
    each = absl::ToDoubleMicroseconds(absl::Now() - start);
  }
  std::nth_element(micros.begin(), micros.begin() + kCalls / 2, micros.end());
  return micros[kCalls / 2];
}

// Microseconds per call with kConcurrent callers.
template <typename Transport>
double Interval(Transport& transport) {
  const absl::Time start = absl::Now();
  std::vector<std::thread> callers;
  for (int i = 0; i < kConcurrent; ++i) {
    callers.emplace_back([&transport] {
      for (int j = 0; j < kCalls / kConcurrent; ++j) transport.Call();
    });
  }
  for (std::thread& caller : callers) caller.join();
  return absl::ToDoubleMicroseconds(absl::Now() - start) / (kCalls / kConcurrent * kConcurrent);
}

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

template <typename Measure>
void Compare(const char* what, Measure measure, NullStep& step, Echo& echo) {
  std::vector<double> ours, theirs, ratios;
  for (int round = -2; round < kRounds; ++round) {
    const bool ours_first = round % 2 == 0;
    double mine = ours_first ? measure(step) : 0;
    const double raw = measure(echo);
    if (!ours_first) mine = measure(step);
    if (round < 0) continue;  // connections and caches warm up
    ours.push_back(mine);
    theirs.push_back(raw);
    ratios.push_back(mine / raw);
  }
  std::printf("%s: step %.1f us, gRPC echo %.1f us: %.2f x the echo\n", what, Median(ours),
              Median(theirs), Median(ratios));
}

}  // namespace
}  // namespace sluice

int main() {
  using namespace sluice;  // NOLINT: a program's main
  const Ports ports = {{FreePort(), FreePort()}, FreePort()};
  const pid_t other = fork();  // before gRPC has any thread
  if (other == 0) OtherProcess(ports);
  PinTo(0);
  {
    const auto task = StartTask(ports, 0);
    NullStep step(task.get());
    Echo echo(ports.echo);
    step.Call();
    echo.Call();
    Compare(
        "null step on another task, one caller", [](auto& transport) { return Latency(transport); },
        step, echo);
    Compare(
        "null step on another task, 8 callers, a call",
        [](auto& transport) { return Interval(transport); }, step, echo);
  }
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}
