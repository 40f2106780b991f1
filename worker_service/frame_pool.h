// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_FRAME_POOL_H_
#define SLUICE_WORKER_SERVICE_FRAME_POOL_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/synchronization/mutex.h"
#include "worker_service/frame.h"
#include "worker_service/shared_word.h"

namespace sluice::worker {

// A FramePool keeps the frames and activations of an execution, and reuses them in later steps.
//
// Owner:    Propagation.
// Threads:  any, except for TakeBackAll; with kShared false, one.
template <bool kShared>
class FramePool {
 public:
  explicit FramePool(const Executable& exec) : exec_(exec), free_(exec.frames.size()) {}

  // `frame`: a static frame of the executable.
  Activation* TakeActivation(uint32_t frame) {
    LockIfShared<kShared> lock(mu_);
    auto& free = free_[frame];
    if (!free.empty()) {
      Activation* activation = free.back();
      free.pop_back();
      return activation;
    }
    activations_.push_back(std::make_unique<Activation>(exec_.frames[frame], frame));
    return activations_.back().get();
  }

  // `failed`: nodes may have left values in their slots.
  void GiveActivation(Activation* activation, bool failed) {
    const uint32_t frame = activation->info_index;
    activation->Reset(exec_.frames[frame], failed);
    LockIfShared<kShared> lock(mu_);
    free_[frame].push_back(activation);
  }

  Frame* TakeFrame() {
    LockIfShared<kShared> lock(mu_);
    if (free_frames_.empty()) {
      frames_.push_back(std::make_unique<Frame>());
      return frames_.back().get();
    }
    Frame* frame = free_frames_.back();
    free_frames_.pop_back();
    return frame;
  }

  void GiveFrame(Frame& frame) {
    Empty(frame);
    LockIfShared<kShared> lock(mu_);
    free_frames_.push_back(&frame);
  }

  // At the end of a step: takes back also the root, and the frames that an error left behind.
  // REQUIRES: no thread works on the execution.
  void TakeBackAll(bool failed) {
    for (auto& free : free_) free.clear();
    free_frames_.clear();
    for (auto& activation : activations_) {
      activation->Reset(exec_.frames[activation->info_index], failed);
      free_[activation->info_index].push_back(activation.get());
    }
    for (auto& frame : frames_) {
      Empty(*frame);
      free_frames_.push_back(frame.get());
    }
  }

 private:
  static void Empty(Frame& frame) {
    frame.constants.clear();
    frame.deferred.clear();
    frame.dead_exits.clear();
  }

  const Executable& exec_;
  absl::Mutex mu_;  // taken only if kShared; guards all members below
  std::vector<std::unique_ptr<Activation>> activations_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::vector<Activation*>> free_;  // by static frame
  std::vector<Frame*> free_frames_;
};

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_FRAME_POOL_H_
