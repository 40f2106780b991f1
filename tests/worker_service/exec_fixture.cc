// SPDX-License-Identifier: Apache-2.0
#include "tests/worker_service/exec_fixture.h"

#include <cstdio>
#include <cstdlib>

#include "absl/strings/match.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "kernels/register.h"
#include "tests/graph/graph_text.h"

namespace sluice::worker {
namespace {

struct Now {
  void Start(KernelContext& ctx, Done done) const {
    ctx.ForwardSlot(0, 0);
    done(absl::OkStatus());
  }
};

struct Late {
  WorkQueue* queue;
  void Start(KernelContext& ctx, Done done) const {
    queue->Schedule([&ctx, done = std::move(done)]() mutable {
      ctx.ForwardSlot(0, 0);
      done(absl::OkStatus());
    });
  }
};

struct Fail {
  std::string name;
  absl::Status Run(KernelContext&) const {
    return OutOfRange("this node was made to fail: ", name);
  }
};

// Waits like a queue's dequeue.
struct Hang {
  void Start(KernelContext& ctx, Done done) const {
    auto shared = std::make_shared<Done>(std::move(done));
    if (ctx.cancel().Register([shared](const absl::Status& why) { (*shared)(MarkDerived(why)); }) ==
        0) {
      (*shared)(MarkDerived(ctx.cancel().status()));
    }
  }
};

struct Count {
  std::atomic<int>* count;
  absl::Status Run(KernelContext& ctx) const {
    count->fetch_add(1);
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

struct Slow {
  std::atomic<bool>* slow;
  absl::Status Run(KernelContext& ctx) const {
    const absl::Time end = absl::Now() + absl::Microseconds(200);
    while (slow->load() && absl::Now() < end) {
    }
    ctx.ForwardSlot(0, 0);
    return absl::OkStatus();
  }
};

}  // namespace

std::string Name(Mode mode) {
  switch (mode) {
    case Mode::kNatural:
      return "Natural";
    case Mode::kAllCheap:
      return "AllCheap";
    case Mode::kNoneCheap:
      return "NoneCheap";
    case Mode::kAsync:
      return "Async";
  }
  return "";
}

Bench::Bench(Mode mode, int threads)
    : Bench(mode == Mode::kAsync ? CreateAsyncDevice(kDevice, nullptr)
                                 : CreateCpuDevice(kDevice, nullptr),
            mode, threads) {}

Bench::Bench(std::unique_ptr<Device> device, Mode mode, int threads)
    : mode_(mode),
      pool_(CreateThreadPool(threads, "inter-op")),
      later_(CreateThreadPool(2, "later")),
      device_(std::move(device)) {}

Bench::~Bench() {
  later_.reset();
  pool_.reset();
}

absl::StatusOr<std::shared_ptr<const Kernel>> Bench::KernelFor(const NodeSpec& node) {
  if (absl::StartsWith(node.name, "now")) return MakeKernel(Now{});
  if (absl::StartsWith(node.name, "late")) return MakeKernel(Late{later_.get()});
  if (absl::StartsWith(node.name, "fail")) return MakeKernel(Fail{node.name});
  if (absl::StartsWith(node.name, "hang")) return MakeKernel(Hang{});
  if (absl::StartsWith(node.name, "count")) return MakeKernel(Count{&counted_});
  if (absl::StartsWith(node.name, "slow")) return MakeKernel(Slow{&slow_});
  if (!node.op_def->stateful) return kernels::AllKernels()->Make(node, "CPU");
  absl::MutexLock lock(&mu_);
  auto& kept = stateful_[node.name];
  if (kept == nullptr) {
    SLUICE_ASSIGN(kept, kernels::AllKernels()->Make(node, "CPU"));
  }
  return kept;
}

absl::StatusOr<std::shared_ptr<const Executable>> Bench::Compile(
    std::unique_ptr<graph::Graph> graph) {
  for (graph::Node* node : graph->nodes()) node->device = kDevice;
  Executable::Options options;
  options.kernel = [this](const NodeSpec& node) { return KernelFor(node); };
  options.cheap = [this](const NodeSpec& node) {
    if (mode_ != Mode::kNatural && mode_ != Mode::kAsync) return mode_ == Mode::kAllCheap;
    const KernelSignature* found = kernels::AllKernels()->Find(node, "CPU");
    return found != nullptr && found->cheap;
  };
  options.device = [](const std::string&) { return 0; };
  options.own_memory = [this](int) { return device_->has_own_memory(); };
  return Executable::Compile(*graph, options);
}

std::shared_ptr<const Executable> Bench::Make(absl::string_view text) {
  auto made = Compile(graph::FromText(text));
  if (!made.ok()) {
    std::fprintf(stderr, "does not compile: %s\n", made.status().ToString().c_str());
    std::abort();
  }
  return *std::move(made);
}

Bench::Outcome Bench::Run(const std::shared_ptr<const Executable>& executable,
                          std::vector<Tensor> args, int retvals, CancelToken* cancel) {
  Outcome outcome;
  outcome.retvals.resize(retvals);
  LocalRendezvous rendezvous;
  ResourceStore step_resources;
  CancelToken own;
  StepContext ctx;
  ctx.device = device_.get();
  ctx.rendezvous = &rendezvous;
  ctx.resources = &device_->resources();
  ctx.step_resources = &step_resources;
  ctx.cancel = cancel != nullptr ? cancel : &own;
  ctx.args = args;
  ctx.retvals = absl::MakeSpan(outcome.retvals);
  absl::Notification ended;
  ExecuteArgs run;
  run.executable = executable;
  run.contexts = absl::MakeConstSpan(&ctx, 1);
  run.pool = pool_.get();
  run.cancel = ctx.cancel;
  run.on_error = [&](const absl::Status& cause) {
    ++outcome.on_error_calls;
    ctx.cancel->Cancel(MarkDerived(Aborted("the step failed: ", cause.message())));
  };
  run.done = [&](absl::Status status) {
    outcome.status = std::move(status);
    ended.Notify();
  };
  Execute(std::move(run));
  ended.WaitForNotification();
  return outcome;
}

int32_t Bench::RunInt(absl::string_view text, std::vector<Tensor> args) {
  const auto executable = Make(text);
  const Outcome first = Run(executable, args);
  const Outcome second = Run(executable, args);
  for (const Outcome* outcome : {&first, &second}) {
    if (!outcome->status.ok() || outcome->retvals[0].dead ||
        outcome->retvals[0].tensor.dtype() != kInt32) {
      std::fprintf(
          stderr, "no int32 came out: %s %s\n", outcome->status.ToString().c_str(),
          outcome->retvals[0].dead ? "dead" : outcome->retvals[0].tensor.ToString().c_str());
      return -1;
    }
  }
  const int32_t value = first.retvals[0].tensor.scalar<int32_t>();
  return value == second.retvals[0].tensor.scalar<int32_t>() ? value : -2;
}

}  // namespace sluice::worker
