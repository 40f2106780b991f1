// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_PROPAGATION_H_
#define SLUICE_WORKER_SERVICE_PROPAGATION_H_

#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "worker_service/frame.h"
#include "worker_service/frame_pool.h"
#include "worker_service/node_slots.h"
#include "worker_service/ready_list.h"
#include "worker_service/run_failure.h"
#include "worker_service/shared_word.h"

namespace sluice::worker {

// A Propagation hands the outputs of nodes to their consumers, and returns the nodes that became
// ready. It begins and ends the iterations and frames of while loops. The inner loop is inline
// here. The code for the border of a frame or an iteration is in propagation.cc.
//
// Owner:    the Execution.
// Threads:  any, except for Begin and TakeBackAll; with kShared false, one.
template <bool kShared>
class Propagation {
 public:
  Propagation(const Executable& exec, const RunFailure& failure)
      : exec_(exec), loops_(exec.frames.size() > 1), failure_(failure), pool_(exec) {
    root_frame_.info = &exec.frames[0];
    root_frame_.window.assign(1, nullptr);
  }

  // The activation of the root frame, which lasts until TakeBackAll.
  Activation* Begin() {
    Activation* root = pool_.TakeActivation(0);
    root->frame = &root_frame_;
    root_frame_.window[0] = root;
    root_frame_.live_iterations = 1;
    // keeps the root until its nodes have ended
    root->holds = static_cast<int64_t>(exec_.roots.size()) + 1;
    return root;
  }

  // REQUIRES: no thread works on the execution.
  void TakeBackAll() { pool_.TakeBackAll(failure_.failed()); }

  // Called once for each node that ended, after Propagate.
  void NodeEnded(Activation* where, ReadyList& next) {
    if (loops_ && AddTo<kShared>(where->holds, -1) == 0) IterationOver(where, next);
  }

  // Hands the outputs to the consumers in their frame and iteration, and collects those that became
  // ready.
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
        // Every iteration but the last makes its Exits dead; they need not run for that. This
        // applies only after a Switch: other nodes may reach this code with the frame's mutex held.
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

 private:
  static void Hand(const ExecEdge& edge, absl::Span<Slot> outputs, Activation& to) {
    if (edge.last)
      to.slots[edge.slot] = std::move(outputs[edge.output]);
    else
      to.slots[edge.slot] = outputs[edge.output];
  }

  // A Merge runs at its first live input, or when all are dead. Its control inputs must have
  // arrived. A dead Enter makes it dead at once: the loop is on a branch that is not taken, so its
  // NextIteration never comes.
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

  void PropagateExit(const Ready& ready, const ExecNode& node, absl::Span<Slot> outputs, bool dead,
                     ReadyList& next) {
    if (dead) return DeadExit(ready.node, *ready.where);
    Activate(node, *ready.where->frame->parent_activation, outputs, false, next);
  }

  // Only an Exit that is dead in the last iteration shows that the whole loop was dead.
  void DeadExit(uint32_t node, Activation& where) {
    Frame& frame = *where.frame;
    LockIfShared<kShared> lock(frame.mu);
    if (where.iteration == frame.newest) frame.dead_exits.push_back(node);
  }

  // Border of a frame or an iteration: see propagation.cc.
  void PropagateEnter(const Ready& ready, const ExecNode& node, absl::Span<Slot> outputs, bool dead,
                      ReadyList& next);
  void PropagateNextIteration(const Ready& ready, const ExecNode& node, absl::Span<Slot> outputs,
                              bool dead, ReadyList& next);
  Frame* FindOrEnterFrame(const Ready& ready, const ExecNode& node);
  // REQUIRES: frame.mu held.
  void BeginIteration(Frame& frame, ReadyList& next);
  // REQUIRES: frame.mu held.
  void BeginDeferred(Frame& frame, ReadyList& next);
  // The last hold of an iteration was released. The iteration ends. Then the next one may end too,
  // a deferred one begins, or the frame ends.
  void IterationOver(Activation* activation, ReadyList& next);
  // Returns the parent's activation if this frame was its last hold.
  Activation* FrameOver(Frame* frame, ReadyList& next);

  const Executable& exec_;
  const bool loops_;
  const RunFailure& failure_;
  Frame root_frame_;
  FramePool<kShared> pool_;
};

extern template class Propagation<false>;
extern template class Propagation<true>;

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_PROPAGATION_H_
