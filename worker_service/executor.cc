// SPDX-License-Identifier: Apache-2.0
#include "worker_service/executor.h"

#include <x86intrin.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/time/clock.h"
#include "core/runtime/device.h"
#include "core/tensor/allocation_label.h"
#include "core/tensor/memory_budget.h"
#include "core/tensor/temporary_bytes.h"
#include "core/threads/cached_object.h"
#include "core/threads/cancel_scope.h"
#include "core/threads/flush_denormals.h"
#include "transport/write_batch.h"
#include "worker_service/node_slots.h"
#include "worker_service/propagation.h"
#include "worker_service/ready_list.h"
#include "worker_service/run_failure.h"
#include "worker_service/shared_word.h"

namespace sluice::worker {
namespace {

constexpr int64_t kBorrowedTicks = 50'000;         // ~20 us: limit of work on a transport's thread
constexpr uint64_t kLongestGatherTicks = 600'000;  // ~250 us: limit of a sent tensor's wait

}  // namespace

// One run of an executable. kShared: on several threads.
//
// An Execution is alive while `in_flight_` (ready or running nodes) is not zero. The thread that
// sets it to zero finishes the run.
template <bool kShared>
class Execution final : public ExecutionScratch {
 public:
  explicit Execution(const Executable& exec)
      : exec_(exec), failure_(exec), propagation_(exec, failure_) {}

  void Begin(ExecuteArgs args) {
    const CancelScope none(nullptr);  // of another step, one of whose kernels may have begun this
    args_ = std::move(args);
    failure_.Reset();
    if (exec_.roots.empty()) return Finish();
    Activation* root = propagation_.Begin();
    in_flight_ = static_cast<int64_t>(exec_.roots.size());
    RunningThread thread;
    for (uint32_t node : exec_.roots) thread.ready.Add(node, false, root);
    GoOn(thread);
  }

 private:
  // Data of one thread that works on the run.
  struct RunningThread {
    std::vector<Slot> outputs;  // of the node that runs
    std::vector<Slot> inputs;   // of the strand's node that runs
    ReadyList ready;            // nodes that this thread will run
    // Groups the tensors that small nodes send one after the other into one message.
    std::optional<transport::WriteBatch> gather;
    // time (ticks) when the thread began to work, and of its last write
    uint64_t began = 0, flushed = 0;
    // Change of in_flight_ that other threads do not see yet. It is published before a node that
    // this thread made ready can end elsewhere, and when the thread's list is empty.
    int64_t uncounted = 0;
    // starts at any number, so that the measured nodes vary
    uint32_t ran = static_cast<uint32_t>(__rdtsc());
  };

  // A kernel that finishes later keeps its context here.
  struct Pending : CachedObject {
    Pending(Execution* run, const Ready& ready, uint32_t outputs)
        : run(run), ready(ready), outputs(outputs) {}
    Execution* run;
    Ready ready;
    std::vector<Slot> outputs;
    std::optional<KernelContext> ctx;
    int64_t start_ns = 0;
    std::vector<const void*> inputs;  // their addresses, when traced
    absl::Status status;
    // Start may return before or after `done` is called; the second of the two continues.
    std::atomic<bool> first_came{false};

    void Ended(absl::Status result) {
      status = std::move(result);
      if (first_came.exchange(true, std::memory_order_acq_rel)) run->Resume(this);
    }
  };

  // --- scheduling ---

  bool RunsInline(uint32_t node) const {
    if (!kShared) return true;
    const Strand& strand = exec_.strands[exec_.nodes[node].strand];
    if (strand.first == strand.end) return IsSmall(node);
    const auto members =
        absl::MakeSpan(exec_.strand_nodes).subspan(strand.first, strand.end - strand.first);
    return absl::c_all_of(members, [this](const StrandNode& m) { return IsSmall(m.node); });
  }

  bool IsSmall(uint32_t index) const {
    const ExecNode& node = exec_.nodes[index];
    if (node.cheap || node.asynchronous) return true;
    // Enqueueing a kernel takes about as long as handing it over.
    if (RunsOnDevice(node)) return true;
    const uint32_t ticks = exec_.costs[index].load(std::memory_order_relaxed);
    return ticks != 0 && ticks < kExpensiveTicks;
  }

  // Handles the nodes that became ready since the list had `from` entries. Cheap nodes stay. Of the
  // others, a thread of ours keeps one if it has nothing else to do.
  void HandOverExpensive(RunningThread& thread, size_t from, bool borrowed) {
    if constexpr (!kShared) return;
    ReadyList& ready = thread.ready;
    std::optional<Ready> kept;
    size_t end = from;
    for (size_t i = from; i < ready.size(); ++i) {
      if (ready[i].dead || RunsInline(ready[i].node)) {
        ready[end++] = ready[i];
        continue;
      }
      if (kept.has_value()) HandOver(*kept, thread);
      kept = ready[i];
    }
    ready.Truncate(end);
    if (!kept.has_value()) return;
    if (ready.empty() && !borrowed)
      ready.Add(*kept);
    else
      HandOver(*kept, thread);
  }

  void HandOver(const Ready& ready, RunningThread& thread) {
    Tell(thread);
    ScheduleOnPool(ReadyList(ready));
  }

  void ScheduleOnPool(ReadyList ready) {
    args_.pool->Schedule([this, ready = std::move(ready)]() mutable {
      RunningThread thread;
      thread.ready = std::move(ready);
      Work(thread, /*borrowed=*/false);
    });
  }

  // Publishes the changes of this thread.
  // REQUIRES: some part of the run has not ended, or there are no changes.
  void Tell(RunningThread& thread) {
    if (const int64_t delta = std::exchange(thread.uncounted, 0); delta != 0)
      AddTo<kShared>(in_flight_, delta);
  }

  // Runs the list and the nodes that become ready meanwhile. A borrowed thread (a transport's loop,
  // an RPC's) is returned after a while, and never runs expensive nodes.
  void Work(RunningThread& thread, bool borrowed) {
    const FlushDenormals flush;
    thread.gather.emplace();
    thread.began = thread.flushed = __rdtsc();
    ReadyList& list = thread.ready;
    if (!list.empty()) {
      thread.outputs.resize(exec_.max_outputs);
      thread.inputs.resize(exec_.max_strand_inputs);
    }
    while (!list.empty()) {
      if ((++thread.ran & 15) == 0 && borrowed && __rdtsc() - thread.began > kBorrowedTicks) {
        Tell(thread);
        thread.gather->Flush();
        return ScheduleOnPool(std::move(list));
      }
      const Ready ready = list.TakeFirst();
      const size_t others = list.size();
      if (RunNode(ready, thread)) {
        Ended(ready, thread, others);
        HandOverExpensive(thread, others, borrowed);
      }
    }
    thread.gather->Flush();  // Finish may destroy the channels
    if constexpr (!kShared) return Finish();
    // If nothing is kept, `this` may already be destroyed.
    if (thread.uncounted != 0 && AddTo<kShared>(in_flight_, thread.uncounted) == 0) Finish();
  }

  // Continues with the ready nodes on a borrowed thread.
  void GoOn(RunningThread& thread) {
    HandOverExpensive(thread, 0, /*borrowed=*/true);
    // Handed over: `this` may already be destroyed.
    if (thread.ready.empty() && thread.uncounted == 0) return;
    Work(thread, /*borrowed=*/true);
  }

  // Accounts for one node that ended and made ready all entries but the first `others`.
  void Ended(const Ready& ready, RunningThread& thread, size_t others) {
    propagation_.NodeEnded(ready.where, thread.ready);
    if constexpr (kShared)
      thread.uncounted += static_cast<int64_t>(thread.ready.size() - others) - 1;
  }

  // --- one node ---
  //
  // The functions that run one are inlined, which saves a sixth of an empty node's time. A strand
  // is called.

  // Returns true if the step failed elsewhere or was cancelled: `node` does not run.
  bool MustStop(uint32_t node) {
    if (failure_.failed()) return true;
    if (args_.cancel == nullptr || !args_.cancel->cancelled()) return false;
    Fail(node, MarkDerived(args_.cancel->status()));
    return true;
  }

  // Returns false if the node needs no further handling (its kernel finishes later, or it has been
  // accounted for).
  bool RunNode(const Ready& ready, RunningThread& thread) {
    if (MustStop(ready.node)) return true;
    const ExecNode& node = exec_.nodes[ready.node];
    if (node.strand != 0) return RunStrand(ready, node, thread), true;
    absl::Span<Slot> inputs(ready.where->slots.data() + node.first_slot, node.num_inputs);
    absl::Span<Slot> outputs(thread.outputs.data(), node.num_outputs);
    bool dead = ready.dead;
    if (!dead || node.kind == NodeKind::kTransfer) {
      if (node.takes_refs) {
        if (absl::Status s = LoadReferences(exec_, node, inputs); !s.ok())
          return Fail(ready.node, s), true;
      }
      if (node.asynchronous) return StartNode(ready, node, inputs, thread);
      if (node.kind == NodeKind::kSwitch && node.own_memory && !inputs[1].value.host_readable())
        return StartSwitch(ready, node, inputs, thread);
      if (absl::Status s = Compute(ready, node, inputs, thread); !s.ok()) {
        ClearInputs(node, *ready.where);
        ClearAll(outputs);
        return Fail(ready.node, s), true;
      }
      if (node.kind == NodeKind::kTransfer) dead = false;
    }
    ClearInputs(node, *ready.where);
    propagation_.Propagate(ready, node, outputs, dead, thread.ready);
    ClearAll(outputs);
    return true;
  }

  [[gnu::always_inline]] void ClearInputs(const ExecNode& node, Activation& where) const {
    if (!node.has_presets) return ClearAll({where.slots.data() + node.first_slot, node.num_inputs});
    for (uint32_t i = 0; i < node.num_inputs; ++i)
      where.Clear(exec_.frames[node.frame], node.first_slot + i);
  }

  [[gnu::always_inline]] absl::Status Compute(const Ready& ready, const ExecNode& node,
                                              absl::Span<Slot> inputs, RunningThread& thread) {
    const absl::Span<Slot> outputs(thread.outputs.data(), node.num_outputs);
    if (args_.trace != nullptr) return ComputeTraced(ready, node, inputs, outputs, thread);
    if (absl::Status s = ComputeByKind(ready, node, inputs, outputs, thread); !s.ok()) return s;
    if (node.kind == NodeKind::kCompute) DropForwarded(inputs, outputs);
    return absl::OkStatus();
  }

  [[gnu::noinline]] absl::Status ComputeTraced(const Ready& ready, const ExecNode& node,
                                               absl::Span<Slot> inputs, absl::Span<Slot> outputs,
                                               RunningThread& thread) {
    const int64_t start = absl::GetCurrentTimeNanos();
    const size_t temporary_bytes = TemporaryBytesOfThread();
    const std::vector<const void*> addresses = AddressesOf(inputs);
    if (absl::Status s = ComputeByKind(ready, node, inputs, outputs, thread); !s.ok()) return s;
    Trace(ready.node, {start, 0, outputs, addresses, TemporaryBytesOfThread() - temporary_bytes});
    if (node.kind == NodeKind::kCompute) DropForwarded(inputs, outputs);
    return absl::OkStatus();
  }

  absl::Status ComputeByKind(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                             absl::Span<Slot> outputs, RunningThread& thread) {
    switch (node.kind) {
      case NodeKind::kNoOp:
      case NodeKind::kControlTrigger:
        return absl::OkStatus();
      case NodeKind::kForward:
      case NodeKind::kEnter:
      case NodeKind::kExit:
      case NodeKind::kNextIteration:
        ForwardOutputs(inputs[0], outputs[0]);
        return absl::OkStatus();
      case NodeKind::kSwitch:
        return RunSwitch(inputs[1].value, inputs[0], outputs);
      case NodeKind::kMerge:
        return RunMerge(inputs, outputs);
      case NodeKind::kCompute:
      case NodeKind::kTransfer:
        return RunKernel(ready, node, inputs, outputs, thread);
    }
    return Internal("unknown node kind");
  }

  OutputMemory MemoryOf(const ExecNode& node) const {
    if (node.first_on_host == 0) return {nullptr, node.all_on_host};
    return {exec_.on_host.data() + node.first_on_host, node.all_on_host};
  }

  KernelContext ContextFor(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                           absl::Span<Slot> outputs) const {
    KernelContext ctx(args_.contexts[node.device], inputs, outputs,
                      exec_.types.data() + node.first_type + node.num_inputs,
                      ready.where->frame->id, ready.where->iteration, MemoryOf(node));
    ctx.set_dead(ready.dead);
    return ctx;
  }

  // Otherwise the kernel runs on the calling thread.
  static bool RunsOnDevice(const ExecNode& node) { return node.own_memory && !node.all_on_host; }

  absl::Status RunKernel(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                         absl::Span<Slot> outputs, RunningThread& thread) {
    KernelContext ctx = ContextFor(ready, node, inputs, outputs);
    const bool measured = !node.cheap && WorthMeasuring(ready.node, thread);
    if (!node.cheap && !thread.gather->empty()) FlushBefore(ready.node, thread);
    const uint64_t ticks = measured ? __rdtsc() : 0;
    absl::Status status = RunLabelled(ready.node, node, ctx);
    if (measured) Measured(ready.node, __rdtsc() - ticks);
    return status;
  }

  // If memory is short, the error names the nodes of the largest tensors.
  absl::Status RunLabelled(uint32_t id, const ExecNode& node, KernelContext& ctx) const {
    const AllocationLabel label(exec_.names[id]);
    return WithinMemory([&] {
      if (RunsOnDevice(node)) return ctx.device().Run(*node.kernel, ctx);
      return UntilCancelled(args_.cancel, [&] {
        if (!node.changes_state) return node.kernel->Run(ctx);
        const CancelScope whole(nullptr);
        return node.kernel->Run(ctx);
      });
    });
  }

  bool KnownSmall(uint32_t node) const {
    constexpr uint32_t kSmall = 2'000;
    const uint32_t known = exec_.costs[node].load(std::memory_order_relaxed);
    return known != 0 && known <= kSmall;
  }

  // Reading the clock costs as much as a small kernel. Nodes known to be small are measured only
  // sometimes.
  bool WorthMeasuring(uint32_t node, const RunningThread& thread) const {
    return !KnownSmall(node) || (thread.ran & 15) == 0;
  }

  // Sent tensors leave before a long node begins. Between small kernels they wait for others, at
  // most twice the time that this thread had worked at its last write. So the first tensor leaves
  // at once, and a thousand tensors leave in a dozen messages.
  void FlushBefore(uint32_t node, RunningThread& thread) {
    const uint64_t now = __rdtsc();
    const uint64_t longest = std::min(2 * (thread.flushed - thread.began), kLongestGatherTicks);
    if (KnownSmall(node) && now - thread.flushed < longest) return;
    thread.flushed = now;
    thread.gather->Flush();
  }

  void Measured(uint32_t node, uint64_t ticks) {
    std::atomic<uint32_t>& cost = exec_.costs[node];
    const uint64_t old = cost.load(std::memory_order_relaxed);
    // The thread may have been interrupted meanwhile, so the estimate grows by only a part at a
    // time.
    const uint64_t limit = old == 0 ? kExpensiveTicks - 1 : old * 4 + 1'000;
    const uint64_t now = std::min(ticks, std::min<uint64_t>(limit, 1u << 30));
    cost.store(static_cast<uint32_t>(std::max<uint64_t>(1, old == 0 ? now : (old * 7 + now) / 8)),
               std::memory_order_relaxed);
    if constexpr (!kShared) {
      if (cost.load(std::memory_order_relaxed) >= kExpensiveTicks) exec_.FoundExpensive();
    }
  }

  void Trace(uint32_t node, StepTrace::NodeRun run) {
    run.end_ns = absl::GetCurrentTimeNanos();
    args_.trace->NodeRan(exec_.nodes[node], exec_.names[node], exec_.ops[node],
                         exec_.nodes[node].device, run);
  }

  // --- kernels that finish later ---

  bool StartNode(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                 RunningThread& thread) {
    Tell(thread);
    auto* pending = new Pending(this, ready, node.num_outputs);
    pending->ctx.emplace(ContextFor(ready, node, inputs, absl::MakeSpan(pending->outputs)));
    if (args_.trace != nullptr) {
      pending->start_ns = absl::GetCurrentTimeNanos();
      pending->inputs = AddressesOf(inputs);
    }
    auto ended = [pending](absl::Status status) { pending->Ended(std::move(status)); };
    if (RunsOnDevice(node)) {
      const AllocationLabel label(exec_.names[ready.node]);
      pending->ctx->device().Start(*node.kernel, *pending->ctx, std::move(ended));
    } else {
      node.kernel->Start(*pending->ctx, std::move(ended));
    }
    return Started(pending, thread);
  }

  // The host may not read the pred's memory: the pred is copied first.
  bool StartSwitch(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                   RunningThread& thread) {
    Tell(thread);
    auto* pending = new Pending(this, ready, node.num_outputs);
    Device& device = *args_.contexts[node.device].device;
    const AllocationLabel label(exec_.names[ready.node]);
    device.CopyToHost(inputs[1].value, [pending, inputs](absl::StatusOr<Tensor> pred) {
      if (pred.ok())
        pending->Ended(RunSwitch(*pred, inputs[0], absl::MakeSpan(pending->outputs)));
      else
        pending->Ended(pred.status());
    });
    return Started(pending, thread);
  }

  bool Started(Pending* pending, RunningThread& thread) {
    if (!pending->first_came.exchange(true, std::memory_order_acq_rel)) return false;
    // The kernel ended inside Start: continue here, without recursion.
    EndPending(std::unique_ptr<Pending>(pending), thread.ready);
    return true;
  }

  // A kernel's `done`, on any thread.
  void Resume(Pending* raw) {
    const CancelScope none(nullptr);  // of another step, as in Begin
    std::unique_ptr<Pending> pending(raw);
    const Ready ready = pending->ready;
    RunningThread thread;
    EndPending(std::move(pending), thread.ready);
    Ended(ready, thread, 0);
    GoOn(thread);
  }

  void EndPending(std::unique_ptr<Pending> pending, ReadyList& next) {
    const Ready& ready = pending->ready;
    const ExecNode& node = exec_.nodes[ready.node];
    if (args_.trace != nullptr)
      Trace(ready.node, {pending->start_ns, 0, pending->outputs, pending->inputs, 0});
    ClearInputs(node, *ready.where);
    if (!pending->status.ok()) return Fail(ready.node, pending->status);
    if (failure_.failed()) return;
    const bool dead =
        node.num_outputs > 0 && pending->outputs[0].state == Slot::State::kDead;  // of a Recv
    propagation_.Propagate(ready, node, absl::MakeSpan(pending->outputs), dead, next);
  }

  // --- strands ---

  // Runs the nodes of the strand one after the other. They are dead together, or one of them makes
  // the later ones dead. Values that are read again stay in the slots of the first node. After a
  // failure the slots are not cleared; the end of the step does that.
  [[gnu::noinline]] void RunStrand(const Ready& ready, const ExecNode& first,
                                   RunningThread& thread) {
    const Strand& strand = exec_.strands[first.strand];
    const ExecNode& last = exec_.nodes[exec_.strand_nodes[strand.end - 1].node];
    bool dead = ready.dead;
    for (uint32_t k = strand.first; k < strand.end && !dead; ++k) {
      const StrandNode& member = exec_.strand_nodes[k];
      if (k > strand.first && MustStop(member.node)) return;
      const ExecNode& node = exec_.nodes[member.node];
      const absl::Span<Slot> inputs = TakeInputs(member, node, first, *ready.where, thread);
      if (absl::Status s = Compute({member.node, false, ready.where}, node, inputs, thread);
          !s.ok())
        return Fail(member.node, s);
      if (member.in_place) ClearInputs(node, *ready.where);
      for (uint32_t bits = member.clears; bits != 0; bits &= bits - 1)
        inputs[static_cast<size_t>(std::countr_zero(bits))].Clear();
      dead = k + 1 < strand.end && !IsLive(thread.outputs[0]);
    }
    if (dead) ClearAll(absl::MakeSpan(thread.inputs));
    ClearInputs(first, *ready.where);
    const absl::Span<Slot> outputs(thread.outputs.data(), last.num_outputs);
    propagation_.Activate(last, *ready.where, outputs, dead, thread.ready);
    ClearAll(outputs);
  }

  absl::Span<Slot> TakeInputs(const StrandNode& member, const ExecNode& node, const ExecNode& first,
                              Activation& where, RunningThread& thread) {
    Slot& before = thread.outputs[0];
    const absl::Span<Slot> inputs(
        member.in_place ? where.slots.data() + node.first_slot : thread.inputs.data(),
        node.num_inputs);
    for (uint32_t t = member.first_take; t < member.end_take; ++t) {
      const StrandTake& take = exec_.strand_takes[t];
      if (take.kept && inputs[take.input].value.buffer()) continue;
      Slot& source = take.source == StrandTake::kFromBefore
                         ? before
                         : where.slots[first.first_slot + take.source];
      if (take.last)
        inputs[take.input] = std::move(source);
      else
        inputs[take.input] = source;
    }
    before.state = Slot::State::kEmpty;
    return inputs;
  }

  // --- the end ---

  void Fail(uint32_t node, const absl::Status& cause) {
    const std::optional<absl::Status> first = failure_.Record(node, cause);
    if (first.has_value() && args_.on_error) args_.on_error(*first);
  }

  void Finish() {
    propagation_.TakeBackAll();
    absl::Status status = failure_.status();
    ExecuteArgs args = std::move(args_);
    if constexpr (kShared) args.executable->Learn();
    args.executable->KeepScratch(std::unique_ptr<ExecutionScratch>(this), !kShared);
    args.executable
        // before `done`, which may destroy the session and its devices. `this` may be destroyed now
        .reset();
    args.done(std::move(status));
  }

  const Executable& exec_;
  ExecuteArgs args_;
  int64_t in_flight_ = 0;
  RunFailure failure_;
  Propagation<kShared> propagation_;
};

template <bool kShared>
static void Start(const Executable& exec, ExecuteArgs args) {
  std::unique_ptr<ExecutionScratch> scratch = exec.TakeScratch(!kShared);
  if (scratch == nullptr) scratch = std::make_unique<Execution<kShared>>(exec);
  static_cast<Execution<kShared>*>(scratch.release())->Begin(std::move(args));
}

void Execute(ExecuteArgs args) {
  const Executable& exec = *args.executable;
  if (exec.RunsSerially())
    Start<false>(exec, std::move(args));
  else
    Start<true>(exec, std::move(args));
}

}  // namespace sluice::worker
