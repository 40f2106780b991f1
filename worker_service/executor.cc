// Long because: scheduling, activation and frames are one hot loop over one state; apart they would
// need that state twice.
#include "worker_service/executor.h"

#include <x86intrin.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <optional>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/time/clock.h"
#include "core/runtime/device.h"
#include "core/tensor/temporary_bytes.h"
#include "core/threads/cached_object.h"
#include "core/threads/flush_denormals.h"
#include "core/utf8.h"
#include "transport/write_batch.h"
#include "worker_service/frame.h"
#include "worker_service/ready_list.h"

namespace sluice::worker {
namespace {

constexpr int64_t kBorrowedTicks = 50'000;  // ~20 us: what a transport's thread may be kept for
constexpr uint64_t kLongestGatherTicks = 600'000;  // ~250 us: what is sent never waits longer

// Counters and state words: atomic when several threads run the step, plain when one does.
template <bool kShared>
uint64_t FetchAdd(uint64_t& word, uint64_t delta) {
  if constexpr (kShared) return std::atomic_ref(word).fetch_add(delta, std::memory_order_acq_rel);
  return std::exchange(word, word + delta);
}
template <bool kShared>
uint64_t FetchOr(uint64_t& word, uint64_t bits) {
  if constexpr (kShared) return std::atomic_ref(word).fetch_or(bits, std::memory_order_acq_rel);
  return std::exchange(word, word | bits);
}
template <bool kShared>
int64_t AddTo(int64_t& counter, int64_t delta) {  // the new value
  if constexpr (kShared)
    return std::atomic_ref(counter).fetch_add(delta, std::memory_order_acq_rel) + delta;
  return counter += delta;
}

template <bool kShared>
class Guard {
 public:
  explicit Guard(absl::Mutex& mu) : mu_(mu) {
    if constexpr (kShared) mu_.Lock();
  }
  ~Guard() {
    if constexpr (kShared) mu_.Unlock();
  }

 private:
  absl::Mutex& mu_;
};

void ForwardOutputs(Slot& from, Slot& to) { to = std::move(from); }

}  // namespace

// One run of an executable. kShared: on several threads.
//
// An Execution is alive while `in_flight_` (ready or running nodes) is not zero; the thread that takes it
// to zero finishes it.
template <bool kShared>
class Execution final : public ExecutionScratch {
 public:
  explicit Execution(const Executable& exec)
      : exec_(exec), loops_(exec.frames.size() > 1), free_(exec.frames.size()) {
    root_frame_.info = &exec.frames[0];
    root_frame_.window.assign(1, nullptr);
  }

  void Begin(ExecuteArgs args) {
    args_ = std::move(args);
    status_ = absl::OkStatus();
    failed_.store(false, std::memory_order_relaxed);
    Activation* root = TakeActivation(0);
    root->frame = &root_frame_;
    root_frame_.window[0] = root;
    root_frame_.live_iterations = 1;
    if (exec_.roots.empty()) return Finish();
    root->holds = static_cast<int64_t>(exec_.roots.size()) + 1;  // the root outlives its nodes
    in_flight_ = static_cast<int64_t>(exec_.roots.size());
    RunningThread thread;
    for (uint32_t node : exec_.roots) thread.ready.Add(node, false, root);
    GoOn(thread);
  }

 private:
  // Data of one thread that works on the run.
  struct RunningThread {
    std::vector<Slot> outputs;  // of the node that runs
    std::vector<Slot> inputs;   // of the node of a strand that runs
    ReadyList ready;            // what it will run
    // Tensors that small nodes send one after the other leave together.
    std::optional<transport::WriteBatch> gather;
    uint64_t began = 0, flushed = 0;  // when it began to work, and wrote what it sent (ticks)
    // Change of in_flight_ that other threads do not see yet. It is published before anything that
    // this thread made ready can end elsewhere, and when its list is empty.
    int64_t uncounted = 0;
    uint32_t ran = static_cast<uint32_t>(__rdtsc());  // any: which nodes are looked at varies
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
    // Start may return before or after `done` was called; the second of the two goes on.
    std::atomic<bool> first_came{false};

    void Ended(absl::Status result) {
      status = std::move(result);
      if (first_came.exchange(true, std::memory_order_acq_rel)) run->Resume(this);
    }
  };

  Activation* TakeActivation(uint32_t frame) {
    Guard<kShared> lock(free_mu_);
    auto& free = free_[frame];
    if (!free.empty()) {
      Activation* activation = free.back();
      free.pop_back();
      return activation;
    }
    activations_.push_back(std::make_unique<Activation>(exec_.frames[frame], frame));
    return activations_.back().get();
  }

  void GiveActivation(uint32_t frame, Activation* activation) {
    activation->Reset(exec_.frames[frame], failed_);
    Guard<kShared> lock(free_mu_);
    free_[frame].push_back(activation);
  }

  Frame* TakeFrame() {
    Guard<kShared> lock(free_mu_);
    if (free_frames_.empty()) {
      frames_.push_back(std::make_unique<Frame>());
      return frames_.back().get();
    }
    Frame* frame = free_frames_.back();
    free_frames_.pop_back();
    return frame;
  }

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
    const uint32_t ticks = exec_.costs[index].load(std::memory_order_relaxed);
    return ticks != 0 && ticks < kExpensiveTicks;
  }

  // Of what became ready since the list had `from` entries, cheap nodes stay. Of the others a
  // thread of ours keeps one if it has nothing else to do.
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

  // Publishes the changes of this thread. REQUIRES: some part of the run is still to end, or there
  // are no changes.
  void Tell(RunningThread& thread) {
    if (const int64_t delta = std::exchange(thread.uncounted, 0); delta != 0)
      AddTo<kShared>(in_flight_, delta);
  }

  // Runs the list and what becomes ready meanwhile. A borrowed thread (a transport's loop, an
  // RPC's) is given back after a while, and never runs what is expensive.
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
    thread.gather->Flush();  // channels may go with what Finish ends
    if constexpr (!kShared) return Finish();
    // With nothing kept, `this` may be gone already.
    if (thread.uncounted != 0 && AddTo<kShared>(in_flight_, thread.uncounted) == 0) Finish();
  }

  // With what is ready, on a borrowed thread.
  void GoOn(RunningThread& thread) {
    HandOverExpensive(thread, 0, /*borrowed=*/true);
    // Handed over: `this` may be gone already.
    if (thread.ready.empty() && thread.uncounted == 0) return;
    Work(thread, /*borrowed=*/true);
  }

  // Accounts for one node that ended and made all ready but the first `others`.
  void Ended(const Ready& ready, RunningThread& thread, size_t others) {
    if (loops_ && AddTo<kShared>(ready.where->holds, -1) == 0)
      IterationOver(ready.where, thread.ready);
    if constexpr (kShared)
      thread.uncounted += static_cast<int64_t>(thread.ready.size() - others) - 1;
  }

  // --- one node ---
  //
  // All that runs one is inlined, a sixth of an empty node's time; a strand is called.

  // The step failed elsewhere, or is cancelled: `node` need not run.
  bool MustStop(uint32_t node) {
    if (failed_.load(std::memory_order_relaxed)) return true;
    if (args_.cancel == nullptr || !args_.cancel->cancelled()) return false;
    Fail(node, MarkDerived(args_.cancel->status()));
    return true;
  }

  // False when the node goes on by itself (its kernel finishes later, or it has been accounted
  // for).
  bool RunNode(const Ready& ready, RunningThread& thread) {
    if (MustStop(ready.node)) return true;
    const ExecNode& node = exec_.nodes[ready.node];
    if (node.strand != 0) return RunStrand(ready, node, thread), true;
    absl::Span<Slot> inputs(ready.where->slots.data() + node.first_slot, node.num_inputs);
    absl::Span<Slot> outputs(thread.outputs.data(), node.num_outputs);
    bool dead = ready.dead;
    if (!dead || node.kind == NodeKind::kTransfer) {
      if (node.takes_refs) {
        if (absl::Status s = LoadReferences(node, inputs); !s.ok())
          return Fail(ready.node, s), true;
      }
      if (node.asynchronous) return StartNode(ready, node, inputs, thread);
      if (node.kind == NodeKind::kSwitch && node.own_memory)
        return StartSwitch(ready, node, inputs, thread);
      if (absl::Status s = Compute(ready, node, inputs, thread); !s.ok()) {
        ClearInputs(node, *ready.where);
        ClearAll(outputs);
        return Fail(ready.node, s), true;
      }
      if (node.kind == NodeKind::kTransfer) dead = false;
    }
    ClearInputs(node, *ready.where);
    Propagate(ready, node, outputs, dead, thread.ready);
    ClearAll(outputs);
    return true;
  }

  // An input whose memory became the output's: most often both references are this thread's.
  static void DropForwarded(absl::Span<Slot> inputs, absl::Span<const Slot> outputs) {
    if (outputs.empty() || !outputs[0].value.buffer()) return;
    for (Slot& slot : inputs) {
      if (slot.value.buffer() == outputs[0].value.buffer()) return slot.value.DropTwin();
    }
  }

  static void ClearAll(absl::Span<Slot> slots) {
    for (Slot& slot : slots) {
      if (slot.state != Slot::State::kEmpty) slot.Clear();
    }
  }

  [[gnu::always_inline]] void ClearInputs(const ExecNode& node, Activation& where) const {
    if (!node.has_presets) return ClearAll({where.slots.data() + node.first_slot, node.num_inputs});
    for (uint32_t i = 0; i < node.num_inputs; ++i)
      where.Clear(exec_.frames[node.frame], node.first_slot + i);
  }

  static Tensor Unassigned(const RefVariable& variable) {
    auto shape = variable.declared_shape.ToShape();
    return {variable.dtype, shape.ok() ? *shape : Shape(), nullptr};
  }

  // A reference that arrives where a value is declared is read now; an uninitialised one is an
  // error, but for those who ask.
  absl::Status LoadReferences(const ExecNode& node, absl::Span<Slot> inputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      Slot& slot = inputs[i];
      if (slot.state != Slot::State::kRef) continue;
      const bool wants_ref = IsRef(exec_.types[node.first_type + i]);
      if (wants_ref && node.allows_uninitialized) continue;
      const RefPtr<RefVariable> variable = slot.ref;
      absl::ReaderMutexLock lock(&variable->guard->mu);
      const bool initialized = variable->value.valid();
      if (!initialized && !node.reads_uninitialized)
        return FailedPrecondition("Attempting to use uninitialized value ", variable->name);
      if (wants_ref) continue;
      slot.value = initialized ? variable->value : Unassigned(*variable);
      slot.ref.reset();
      slot.state = Slot::State::kValue;
    }
    return absl::OkStatus();
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

  static std::vector<const void*> AddressesOf(absl::Span<const Slot> slots) {
    std::vector<const void*> addresses;
    for (const Slot& slot : slots) {
      if (slot.state == Slot::State::kValue) addresses.push_back(slot.value.raw());
    }
    return addresses;
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

  // `pred` is on the host.
  static absl::Status RunSwitch(const Tensor& pred, Slot& data, absl::Span<Slot> outputs) {
    if (pred.dtype() != kBool || pred.rank() != 0) {
      return InvalidArgument("The second input must be a scalar, but it has shape ", pred.shape(),
                             " and type ", pred.dtype());
    }
    ForwardOutputs(data, outputs[pred.scalar<bool>() ? 1 : 0]);
    return absl::OkStatus();
  }

  static absl::Status RunMerge(absl::Span<Slot> inputs, absl::Span<Slot> outputs) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].state != Slot::State::kValue && inputs[i].state != Slot::State::kRef) continue;
      ForwardOutputs(inputs[i], outputs[0]);
      if (outputs.size() > 1) {
        outputs[1].value = Tensor::Scalar<int32_t>(static_cast<int32_t>(i));
        outputs[1].state = Slot::State::kValue;
      }
      return absl::OkStatus();
    }
    return Internal("a Merge ran without a live input");
  }

  KernelContext ContextFor(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                           absl::Span<Slot> outputs) const {
    KernelContext ctx(args_.contexts[node.device], inputs, outputs,
                      exec_.types.data() + node.first_type + node.num_inputs,
                      ready.where->frame->id, ready.where->iteration);
    ctx.set_dead(ready.dead);
    return ctx;
  }

  absl::Status RunKernel(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                         absl::Span<Slot> outputs, RunningThread& thread) {
    KernelContext ctx = ContextFor(ready, node, inputs, outputs);
    const bool measured = !node.cheap && WorthMeasuring(ready.node, thread);
    if (!node.cheap && !thread.gather->empty()) FlushBefore(ready.node, thread);
    const uint64_t ticks = measured ? __rdtsc() : 0;
    absl::Status status =
        node.own_memory ? ctx.device().Run(*node.kernel, ctx) : node.kernel->Run(ctx);
    if (measured) Measured(ready.node, __rdtsc() - ticks);
    return status;
  }

  bool KnownSmall(uint32_t node) const {
    constexpr uint32_t kSmall = 2'000;
    const uint32_t known = exec_.costs[node].load(std::memory_order_relaxed);
    return known != 0 && known <= kSmall;
  }

  // Reading the clock costs as much as a small kernel: those known to be small are looked at now
  // and then.
  bool WorthMeasuring(uint32_t node, const RunningThread& thread) const {
    return !KnownSmall(node) || (thread.ran & 15) == 0;
  }

  // Sent tensors leave before anything long begins. Between small kernels they wait for others at
  // most twice as long as this thread had worked at its last write: the first tensor leaves at
  // once, a thousand tensors in a dozen messages.
  void FlushBefore(uint32_t node, RunningThread& thread) {
    const uint64_t now = __rdtsc();
    const uint64_t patience = std::min(2 * (thread.flushed - thread.began), kLongestGatherTicks);
    if (KnownSmall(node) && now - thread.flushed < patience) return;
    thread.flushed = now;
    thread.gather->Flush();
  }

  void Measured(uint32_t node, uint64_t ticks) {
    std::atomic<uint32_t>& cost = exec_.costs[node];
    const uint64_t old = cost.load(std::memory_order_relaxed);
    // The thread may have been interrupted meanwhile: what is known grows by a part at a time.
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
    node.kernel->Start(*pending->ctx,
                       [pending](absl::Status status) { pending->Ended(std::move(status)); });
    return Started(pending, thread);
  }

  // The pred is in memory that the host may not read: it is copied first.
  bool StartSwitch(const Ready& ready, const ExecNode& node, absl::Span<Slot> inputs,
                   RunningThread& thread) {
    Tell(thread);
    auto* pending = new Pending(this, ready, node.num_outputs);
    Device& device = *args_.contexts[node.device].device;
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
    // It ended inside Start: go on here, without recursion.
    EndPending(std::unique_ptr<Pending>(pending), thread.ready);
    return true;
  }

  // A kernel's `done`, on any thread.
  void Resume(Pending* raw) {
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
    if (failed_.load(std::memory_order_relaxed)) return;
    const bool dead =
        node.num_outputs > 0 && pending->outputs[0].state == Slot::State::kDead;  // a Recv's
    Propagate(ready, node, absl::MakeSpan(pending->outputs), dead, next);
  }

  // --- strands ---

  // Runs the nodes of the strand one after the other. They are dead together, or one of them makes
  // the later ones dead. Values that are read again stay in the slots of the first node. After a
  // failure nothing is cleared: the end of the step does that.
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
    Activate(last, *ready.where, outputs, dead, thread.ready);
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

  // --- propagation ---

  // Hands the outputs to the consumers in the frame and iteration they belong to, and collects
  // those that became ready.
  [[gnu::always_inline]] void Propagate(const Ready& ready, const ExecNode& node,
                                        absl::Span<Slot> outputs, bool dead, ReadyList& next) {
    switch (node.kind) {
      case NodeKind::kEnter:
        return PropagateEnter(ready, node, outputs, dead, next);
      case NodeKind::kExit:
        return PropagateExit(ready, node, outputs, dead, next);
      case NodeKind::kNextIteration:
        return PropagateNextIteration(ready, node, outputs, dead, next);
      default:
        return Activate(node, *ready.where, outputs, dead, next);
    }
  }

  void Activate(const ExecNode& node, Activation& to, absl::Span<Slot> outputs, bool dead,
                ReadyList& next) {
    const size_t before = next.size();
    for (uint32_t e = node.first_edge; e < node.end_edge; ++e) {
      const ExecEdge& edge = exec_.edges[e];
      const ExecNode& target = exec_.nodes[edge.node];
      const bool control = edge.slot == ExecEdge::kNoSlot;
      const bool live = !dead && (control || IsLive(outputs[edge.output]));
      if (target.kind == NodeKind::kMerge) {
        ActivateMerge(node, edge, target, to, outputs, live, next);
        continue;
      }
      if (live && !control) Hand(edge, outputs, to);
      if (edge.sole) {
        // Every iteration but the last makes its Exits dead: they need not run for that. Only after
        // a Switch: others may have come with the frame's mutex held.
        if (!live && target.kind == NodeKind::kExit && node.kind == NodeKind::kSwitch) {
          DeadExit(edge.node, to);
          continue;
        }
        next.Add(edge.node, !live && target.kind != NodeKind::kControlTrigger, &to);
        continue;
      }
      const uint64_t state = FetchAdd<kShared>(to.states[target.state], (live ? 0 : kDeadOne) - 1) +
                             (live ? 0 : kDeadOne) - 1;
      if (PendingOf(state) != 0) continue;
      const bool target_dead = DeadOf(state) != 0 && target.kind != NodeKind::kControlTrigger;
      next.Add(edge.node, target_dead, &to);
    }
    if (loops_ && next.size() > before)
      AddTo<kShared>(to.holds, static_cast<int64_t>(next.size() - before));
  }

  static bool IsLive(const Slot& slot) {
    return slot.state == Slot::State::kValue || slot.state == Slot::State::kRef;
  }

  static void Hand(const ExecEdge& edge, absl::Span<Slot> outputs, Activation& to) {
    if (edge.last)
      to.slots[edge.slot] = std::move(outputs[edge.output]);
    else
      to.slots[edge.slot] = outputs[edge.output];
  }

  // A Merge runs at its first live input, or when all are dead; its control inputs must have
  // arrived. A dead Enter makes it dead at once: the loop lies on a branch that is not taken, its
  // NextIteration will never come.
  void ActivateMerge(const ExecNode& source, const ExecEdge& edge, const ExecNode& target,
                     Activation& to, absl::Span<Slot> outputs, bool live, ReadyList& next) {
    uint64_t& word = to.states[target.state];
    const auto all_dead = [&](uint64_t s) { return DeadOf(s) >= target.num_inputs; };
    if (edge.slot == ExecEdge::kNoSlot) {
      const uint64_t state = FetchAdd<kShared>(word, -uint64_t{1}) - 1;
      if (PendingOf(state) == 0 && ((state & kMergeLive) != 0 || all_dead(state))) {
        next.Add(edge.node, (state & kMergeLive) == 0, &to);
      }
    } else if (live) {
      if ((FetchOr<kShared>(word, kMergeClaimed) & kMergeClaimed) != 0) return;
      Hand(edge, outputs, to);
      const uint64_t state = FetchOr<kShared>(word, kMergeLive);
      if (PendingOf(state) == 0) next.Add(edge.node, false, &to);
    } else {
      const uint64_t add =
          source.kind == NodeKind::kEnter ? kDeadOne * target.num_inputs : kDeadOne;
      const uint64_t state = FetchAdd<kShared>(word, add) + add;
      const bool crossed = all_dead(state) && !all_dead(state - add);
      if (PendingOf(state) == 0 && crossed && (state & kMergeLive) == 0)
        next.Add(edge.node, true, &to);
    }
  }

  // --- frames ---

  void PropagateEnter(const Ready& ready, const ExecNode& node, absl::Span<Slot> outputs, bool dead,
                      ReadyList& next) {
    Frame* child = FindOrEnterFrame(ready, node);
    Activation* first = nullptr;
    {
      Guard<kShared> lock(child->mu);
      first = child->at(0);
      if (node.constant_enter) {
        child->constants.push_back({ready.node, dead, outputs[0]});
        // Iterations that began before this value came get it now; iteration 0 may be gone only
        // after it has.
        for (int64_t i = 1; i <= child->newest; ++i) {
          Activation* activation = child->at(i);
          if (activation != nullptr && activation->iteration == i) {
            std::vector<Slot> copy(outputs.begin(), outputs.end());
            Activate(node, *activation, absl::MakeSpan(copy), dead, next);
          }
        }
      }
      Activate(node, *first, outputs, dead, next);
    }
    if (AddTo<kShared>(first->holds, -1) == 0) IterationOver(first, next);  // this Enter has come
  }

  Frame* FindOrEnterFrame(const Ready& ready, const ExecNode& node) {
    Activation& parent = *ready.where;
    Guard<kShared> lock(parent.frame->mu);
    for (Frame* child : parent.children) {
      if (child->info_index == node.entered_frame) return child;
    }
    const FrameInfo& info = exec_.frames[node.entered_frame];
    Frame* child = TakeFrame();
    child->info = &info;
    child->info_index = node.entered_frame;
    child->parent = parent.frame;
    child->parent_activation = &parent;
    child->id = FrameId(parent.frame->id, parent.iteration, info.name_hash);
    child->newest = 0;
    child->live_iterations = 1;
    child->window.assign(std::bit_ceil(static_cast<size_t>(info.parallel_iterations) + 1), nullptr);
    Activation* first = TakeActivation(node.entered_frame);
    first->frame = child;
    first->holds = info.num_enters;
    child->at(0) = first;
    parent.children.push_back(child);
    AddTo<kShared>(parent.holds, 1);
    return child;
  }

  void PropagateExit(const Ready& ready, const ExecNode& node, absl::Span<Slot> outputs, bool dead,
                     ReadyList& next) {
    if (dead) return DeadExit(ready.node, *ready.where);
    Activate(node, *ready.where->frame->parent_activation, outputs, false, next);
  }

  // Only an Exit that is dead in the last iteration says that the whole loop was dead.
  void DeadExit(uint32_t node, Activation& where) {
    Frame& frame = *where.frame;
    Guard<kShared> lock(frame.mu);
    if (where.iteration == frame.newest) frame.dead_exits.push_back(node);
  }

  void PropagateNextIteration(const Ready& ready, const ExecNode& node, absl::Span<Slot> outputs,
                              bool dead, ReadyList& next) {
    if (dead) return;  // deadness ends here, or a loop would never
    Frame& frame = *ready.where->frame;
    Guard<kShared> lock(frame.mu);
    const int64_t iteration = ready.where->iteration + 1;
    if (iteration > frame.newest) {
      if (frame.live_iterations >= frame.info->parallel_iterations) {
        frame.deferred.push_back({ready.node, false, std::move(outputs[0])});
        return;
      }
      BeginIteration(frame, next);
    }
    Activate(node, *frame.at(iteration), outputs, false, next);
  }

  // REQUIRES: frame.mu held.
  void BeginIteration(Frame& frame, ReadyList& next) {
    Activation* before = frame.at(frame.newest);
    if (before != nullptr && before->iteration != frame.newest) before = nullptr;
    Activation* activation = TakeActivation(frame.info_index);
    activation->frame = &frame;
    activation->iteration = ++frame.newest;
    activation->holds = before != nullptr ? 1 : 0;
    frame.at(frame.newest) = activation;
    ++frame.live_iterations;
    frame.dead_exits.clear();
    for (const Frame::Waiting& constant : frame.constants) {
      Slot copy = constant.value;
      Activate(exec_.nodes[constant.node], *activation, absl::MakeSpan(&copy, 1), constant.dead,
               next);
    }
  }

  // REQUIRES: frame.mu held.
  void BeginDeferred(Frame& frame, ReadyList& next) {
    BeginIteration(frame, next);
    for (Frame::Waiting& waiting : frame.deferred) {
      Activate(exec_.nodes[waiting.node], *frame.at(frame.newest),
               absl::MakeSpan(&waiting.value, 1), false, next);
    }
    frame.deferred.clear();
  }

  // The last hold of an iteration went. It ends, lets the next one end too, begins a deferred one,
  // or ends its frame.
  void IterationOver(Activation* activation, ReadyList& next) {
    while (activation != nullptr && activation->frame != &root_frame_) {
      Frame& frame = *activation->frame;
      bool frame_over = false;
      Activation* follow = nullptr;
      {
        Guard<kShared> lock(frame.mu);
        const int64_t iteration = activation->iteration;
        frame.at(iteration) = nullptr;
        --frame.live_iterations;
        if (iteration < frame.newest) follow = frame.at(iteration + 1);
        if (!frame.deferred.empty() && frame.live_iterations < frame.info->parallel_iterations) {
          BeginDeferred(frame, next);
        }
        frame_over = frame.live_iterations == 0;
      }
      GiveActivation(frame.info_index, activation);
      if (follow != nullptr && AddTo<kShared>(follow->holds, -1) == 0) {
        activation = follow;
      } else {
        activation = frame_over ? FrameOver(&frame, next) : nullptr;
      }
    }
  }

  // Returns the parent's activation when this frame was its last hold.
  Activation* FrameOver(Frame* frame, ReadyList& next) {
    Activation* parent = frame->parent_activation;
    for (uint32_t exit : frame->dead_exits) {
      std::vector<Slot> none(exec_.nodes[exit].num_outputs);
      Activate(exec_.nodes[exit], *parent, absl::MakeSpan(none), true, next);
    }
    {
      Guard<kShared> lock(frame->parent->mu);
      auto& children = parent->children;
      children.erase(std::find(children.begin(), children.end(), frame));
    }
    Recycle(*frame);
    return AddTo<kShared>(parent->holds, -1) == 0 ? parent : nullptr;
  }

  void Recycle(Frame& frame) {
    frame.constants.clear();
    frame.deferred.clear();
    frame.dead_exits.clear();
    Guard<kShared> lock(free_mu_);
    free_frames_.push_back(&frame);
  }

  // --- the end ---

  // A node that only takes a value elsewhere speaks for the one that made it, which the program
  // knows by name.
  uint32_t Blamed(uint32_t node) const {
    if (exec_.nodes[node].kind != NodeKind::kTransfer) return node;
    for (uint32_t i = 0; i < exec_.nodes.size(); ++i) {
      for (uint32_t e = exec_.nodes[i].first_edge; e < exec_.nodes[i].end_edge; ++e) {
        const ExecEdge& edge = exec_.edges[e];
        if (edge.node == node && edge.slot != ExecEdge::kNoSlot) return i;
      }
    }
    return node;  // a constant's value, or none
  }

  // TensorFlow's client looks for a node of this name, and fails over the debugger's, which have a
  // colon.
  static std::string InBrackets(const std::string& name) {
    const bool for_debugger = absl::StrContains(name, ':');
    return for_debugger ? absl::StrCat("at ", name) : absl::StrCat("[[{{node ", name, "}}]]");
  }

  void Fail(uint32_t failed, const absl::Status& cause) {
    absl::Status status = cause;
    if (!IsDerived(cause)) {
      const uint32_t node = Blamed(failed);
      status = absl::Status(
          cause.code(),
          absl::StrCat(AsUtf8(cause.message()), "\n\t ", InBrackets(exec_.names[node]), " (",
                       exec_.ops[node], " on ", exec_.device_names[exec_.nodes[node].device], ")"));
    }
    bool first = false;
    {
      absl::MutexLock lock(&status_mu_);
      first = status_.ok();
      if (first || (IsDerived(status_) && !IsDerived(status))) status_ = status;
    }
    failed_.store(true, std::memory_order_release);
    if (first && args_.on_error) args_.on_error(status);
  }

  void Finish() {
    // Frames that an error left behind, and the root: as new for the next step.
    for (auto& free : free_) free.clear();
    free_frames_.clear();
    for (auto& activation : activations_) {
      activation->Reset(exec_.frames[activation->info_index], failed_);
      free_[activation->info_index].push_back(activation.get());
    }
    for (auto& frame : frames_) {
      frame->constants.clear();
      frame->deferred.clear();
      frame->dead_exits.clear();
      free_frames_.push_back(frame.get());
    }
    absl::Status status;
    {
      absl::MutexLock lock(&status_mu_);
      status = status_;
    }
    ExecuteArgs args = std::move(args_);
    if constexpr (kShared) args.executable->Learn();
    args.executable->KeepScratch(std::unique_ptr<ExecutionScratch>(this), !kShared);
    args.executable
        .reset();  // before `done`: the session and its devices may go with it. `this` may go now
    args.done(std::move(status));
  }

  const Executable& exec_;
  const bool loops_;
  ExecuteArgs args_;
  int64_t in_flight_ = 0;
  std::atomic<bool> failed_{false};
  absl::Mutex status_mu_;
  absl::Status status_ ABSL_GUARDED_BY(status_mu_);
  Frame root_frame_;

  absl::Mutex free_mu_;  // the lists below
  std::vector<std::unique_ptr<Activation>> activations_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::vector<Activation*>> free_;
  std::vector<Frame*> free_frames_;
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
