// SPDX-License-Identifier: Apache-2.0
// While loops: the beginnings and ends of frames and iterations.
#include "worker_service/propagation.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace sluice::worker {

template <bool kShared>
void Propagation<kShared>::PropagateEnter(const Ready& ready, const ExecNode& node,
                                          absl::Span<Slot> outputs, bool dead, ReadyList& next) {
  Frame* child = FindOrEnterFrame(ready, node);
  Activation* first = nullptr;
  {
    LockIfShared<kShared> lock(child->mu);
    first = child->at(0);
    if (node.constant_enter) {
      child->constants.push_back({ready.node, dead, outputs[0]});
      // Iterations that began before this value arrived get it now. Iteration 0 ends only
      // afterwards.
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
  if (AddTo<kShared>(first->holds, -1) == 0) IterationOver(first, next);  // this Enter has arrived
}

template <bool kShared>
Frame* Propagation<kShared>::FindOrEnterFrame(const Ready& ready, const ExecNode& node) {
  Activation& parent = *ready.where;
  LockIfShared<kShared> lock(parent.frame->mu);
  for (Frame* child : parent.children) {
    if (child->info_index == node.entered_frame) return child;
  }
  const FrameInfo& info = exec_.frames[node.entered_frame];
  Frame* child = pool_.TakeFrame();
  child->info = &info;
  child->info_index = node.entered_frame;
  child->parent = parent.frame;
  child->parent_activation = &parent;
  child->id = FrameId(parent.frame->id, parent.iteration, info.name_hash);
  child->newest = 0;
  child->live_iterations = 1;
  child->window.assign(std::bit_ceil(static_cast<size_t>(info.parallel_iterations) + 1), nullptr);
  Activation* first = pool_.TakeActivation(node.entered_frame);
  first->frame = child;
  first->holds = info.num_enters;
  child->at(0) = first;
  parent.children.push_back(child);
  AddTo<kShared>(parent.holds, 1);
  return child;
}

template <bool kShared>
void Propagation<kShared>::PropagateNextIteration(const Ready& ready, const ExecNode& node,
                                                  absl::Span<Slot> outputs, bool dead,
                                                  ReadyList& next) {
  if (dead) return;  // deadness ends here; otherwise a loop would never end
  Frame& frame = *ready.where->frame;
  LockIfShared<kShared> lock(frame.mu);
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

template <bool kShared>
void Propagation<kShared>::BeginIteration(Frame& frame, ReadyList& next) {
  Activation* before = frame.at(frame.newest);
  if (before != nullptr && before->iteration != frame.newest) before = nullptr;
  Activation* activation = pool_.TakeActivation(frame.info_index);
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

template <bool kShared>
void Propagation<kShared>::BeginDeferred(Frame& frame, ReadyList& next) {
  BeginIteration(frame, next);
  for (Frame::Waiting& waiting : frame.deferred) {
    Activate(exec_.nodes[waiting.node], *frame.at(frame.newest), absl::MakeSpan(&waiting.value, 1),
             false, next);
  }
  frame.deferred.clear();
}

template <bool kShared>
void Propagation<kShared>::IterationOver(Activation* activation, ReadyList& next) {
  while (activation != nullptr && activation->frame != &root_frame_) {
    Frame& frame = *activation->frame;
    bool frame_over = false;
    Activation* follow = nullptr;
    {
      LockIfShared<kShared> lock(frame.mu);
      const int64_t iteration = activation->iteration;
      frame.at(iteration) = nullptr;
      --frame.live_iterations;
      if (iteration < frame.newest) follow = frame.at(iteration + 1);
      if (!frame.deferred.empty() && frame.live_iterations < frame.info->parallel_iterations) {
        BeginDeferred(frame, next);
      }
      frame_over = frame.live_iterations == 0;
    }
    pool_.GiveActivation(activation, failure_.failed());
    if (follow != nullptr && AddTo<kShared>(follow->holds, -1) == 0) {
      activation = follow;
    } else {
      activation = frame_over ? FrameOver(&frame, next) : nullptr;
    }
  }
}

template <bool kShared>
Activation* Propagation<kShared>::FrameOver(Frame* frame, ReadyList& next) {
  Activation* parent = frame->parent_activation;
  for (uint32_t exit : frame->dead_exits) {
    std::vector<Slot> none(exec_.nodes[exit].num_outputs);
    Activate(exec_.nodes[exit], *parent, absl::MakeSpan(none), true, next);
  }
  {
    LockIfShared<kShared> lock(frame->parent->mu);
    auto& children = parent->children;
    children.erase(std::find(children.begin(), children.end(), frame));
  }
  pool_.GiveFrame(*frame);
  return AddTo<kShared>(parent->holds, -1) == 0 ? parent : nullptr;
}

template class Propagation<false>;
template class Propagation<true>;

}  // namespace sluice::worker
