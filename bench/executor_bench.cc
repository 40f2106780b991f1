// SPDX-License-Identifier: Apache-2.0
// The executor's overhead: ns per node of graphs whose nodes do nothing, compared with oneTBB's
// flow graph and Taskflow (those available at the build) on as many threads.
//
// The repetitions of all benchmarks are interleaved, so that other load on the machine affects all
// of them: compare medians.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "core/runtime/device.h"
#include "core/runtime/local_rendezvous.h"
#include "graph/all_ops.h"
#include "graph/graph.h"
#include "worker_service/executor.h"

#ifdef SLUICE_BENCH_TBB
#include <tbb/flow_graph.h>
#include <tbb/global_control.h>
#endif
#ifdef SLUICE_BENCH_TASKFLOW
#include <taskflow/taskflow.hpp>
#endif

namespace sluice::worker {
namespace {

constexpr char kDevice[] = "/job:localhost/replica:0/task:0/device:CPU:0";
constexpr int kThreads = 2;

// Nodes by number, each with its consumers. A node waits only for lower numbers.
using Successors = std::vector<std::vector<int>>;

Successors Chain() {
  Successors graph(10'000);
  for (int i = 0; i + 1 < 10'000; ++i) graph[i] = {i + 1};
  return graph;
}

// 100 x 100 nodes: each waits for its left and its upper neighbour.
Successors Wavefront() {
  constexpr int kSide = 100;
  Successors graph(kSide * kSide);
  for (int i = 0; i < kSide * kSide; ++i) {
    if (i % kSide + 1 < kSide) graph[i].push_back(i + 1);
    if (i + kSide < kSide * kSide) graph[i].push_back(i + kSide);
  }
  return graph;
}

template <typename T>
T OrDie(absl::StatusOr<T> value) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "executor_bench: %s\n", value.status().ToString().c_str());
  std::abort();
}

// `kernels`: whether the nodes have an empty kernel that is not cheap (the shared executor), or are
// NoOp (the serial one).
std::shared_ptr<const Executable> Compile(const Successors& successors, bool kernels) {
  struct Nothing {
    absl::Status Run(KernelContext&) const { return absl::OkStatus(); }
  };
  graph::Graph graph(&graph::AllOps());
  std::vector<graph::Node*> nodes;
  for (size_t i = 0; i < successors.size(); ++i) {
    nodes.push_back(OrDie(graph.AddNode(absl::StrCat("n", i), kernels ? "Abort" : "NoOp", {})));
    nodes.back()->device = kDevice;
  }
  for (size_t i = 0; i < successors.size(); ++i) {
    for (int to : successors[i]) graph.AddControlEdge(nodes[i], nodes[to]);
  }
  Executable::Options options;
  options.kernel = [](const NodeSpec&) { return MakeKernel(Nothing{}); };
  options.cheap = [](const NodeSpec&) { return false; };
  options.device = [](const std::string&) { return 0; };
  options.own_memory = [](int) { return false; };
  return OrDie(Executable::Compile(graph, options));
}

void CountNodes(benchmark::State& state, const Successors& successors) {
  state.counters["per_node"] = benchmark::Counter(
      static_cast<double>(successors.size()),
      benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void RunOurs(benchmark::State& state, const Successors& successors, bool kernels) {
  const auto executable = Compile(successors, kernels);
  const auto pool = CreateThreadPool(kThreads, "inter-op");
  const auto device = CreateCpuDevice(kDevice, nullptr);
  LocalRendezvous rendezvous;
  ResourceStore step_resources;
  CancelToken cancel;
  StepContext context;
  context.device = device.get();
  context.rendezvous = &rendezvous;
  context.resources = &device->resources();
  context.step_resources = &step_resources;
  context.cancel = &cancel;
  for (auto _ : state) {
    absl::Notification ended;
    ExecuteArgs run;
    run.executable = executable;
    run.contexts = absl::MakeConstSpan(&context, 1);
    run.pool = pool.get();
    run.cancel = &cancel;
    run.on_error = [](const absl::Status&) {};
    run.done = [&](const absl::Status& status) {
      if (!status.ok()) state.SkipWithError(status.ToString().c_str());
      ended.Notify();
    };
    Execute(std::move(run));
    ended.WaitForNotification();
  }
  CountNodes(state, successors);
}

#ifdef SLUICE_BENCH_TBB
void RunTbb(benchmark::State& state, const Successors& successors) {
  using Node = tbb::flow::continue_node<tbb::flow::continue_msg>;
  tbb::global_control threads(tbb::global_control::max_allowed_parallelism, kThreads);
  tbb::flow::graph graph;
  std::vector<std::unique_ptr<Node>> nodes;
  for (size_t i = 0; i < successors.size(); ++i) {
    nodes.push_back(std::make_unique<Node>(graph, [](const tbb::flow::continue_msg&) {}));
  }
  for (size_t i = 0; i < successors.size(); ++i) {
    for (int to : successors[i]) tbb::flow::make_edge(*nodes[i], *nodes[to]);
  }
  for (auto _ : state) {
    nodes[0]->try_put(tbb::flow::continue_msg());
    graph.wait_for_all();
  }
  CountNodes(state, successors);
}
#endif

#ifdef SLUICE_BENCH_TASKFLOW
void RunTaskflow(benchmark::State& state, const Successors& successors) {
  tf::Executor executor(kThreads);
  tf::Taskflow graph;
  std::vector<tf::Task> tasks;
  for (size_t i = 0; i < successors.size(); ++i) tasks.push_back(graph.emplace([] {}));
  for (size_t i = 0; i < successors.size(); ++i) {
    for (int to : successors[i]) tasks[i].precede(tasks[to]);
  }
  for (auto _ : state) executor.run(graph).wait();
  CountNodes(state, successors);
}
#endif

void Register(const std::string& name, const Successors& successors) {
  auto add = [](const std::string& full_name, auto run) {
    benchmark::RegisterBenchmark(full_name.c_str(), run)
        ->Unit(benchmark::kMicrosecond)
        ->UseRealTime()
        ->Repetitions(9)
        ->ReportAggregatesOnly(true);
  };
  add(name + "/ours/NoOp",
      [successors](benchmark::State& state) { RunOurs(state, successors, false); });
  add(name + "/ours/empty kernels, shared",
      [successors](benchmark::State& state) { RunOurs(state, successors, true); });
#ifdef SLUICE_BENCH_TBB
  add(name + "/oneTBB flow graph",
      [successors](benchmark::State& state) { RunTbb(state, successors); });
#endif
#ifdef SLUICE_BENCH_TASKFLOW
  add(name + "/Taskflow",
      [successors](benchmark::State& state) { RunTaskflow(state, successors); });
#endif
}

}  // namespace
}  // namespace sluice::worker

int main(int argc, char** argv) {
#ifndef SLUICE_BENCH_TBB
  std::puts("oneTBB (libtbb-dev) was not there when this was built");
#endif
#ifndef SLUICE_BENCH_TASKFLOW
  std::puts(
      "Taskflow was not there when this was built (-DSLUICE_TASKFLOW=the folder of taskflow/)");
#endif
  sluice::worker::Register("chain of 10,000", sluice::worker::Chain());
  sluice::worker::Register("wavefront of 100 x 100", sluice::worker::Wavefront());
  std::vector<char*> arguments(argv, argv + argc);
  char interleave[] = "--benchmark_enable_random_interleaving=true";
  arguments.push_back(interleave);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
