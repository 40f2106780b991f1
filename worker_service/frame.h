// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_WORKER_SERVICE_FRAME_H_
#define SLUICE_WORKER_SERVICE_FRAME_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/synchronization/mutex.h"
#include "worker_service/executable.h"

// The parts of a running while loop. A graph without loops has one Frame with one Activation.

namespace sluice::worker {

struct Frame;

// One iteration of a frame: a slot for every input and a state word for every node in it.
//
// `holds` counts the reasons to keep it (only in graphs with loops): each of its nodes that is
// ready or running, each child frame, each Enter that iteration 0 still waits for, and the previous
// iteration while that lives. At zero the iteration is over.
struct Activation {
  Activation(const FrameInfo& info, uint32_t info_index);

  // After its node ran: empty, or a preset that stays for the next step.
  void Clear(const FrameInfo& info, uint32_t index) {
    Slot& slot = slots[index];
    if (slot.state == Slot::State::kEmpty) return;
    const uint32_t preset = info.preset_of[index];
    if (preset == FrameInfo::kNoPreset) return slot.Clear();
    // Usually the value was only read.
    if (!slot.value.buffer()) Fill(info.presets[preset]);
  }
  void Fill(const Preset& preset);

  // Resets the iteration. A node that ran has cleared its own slots. In a run without failure every
  // node has, except for inputs that a Merge did not wait for.
  void Reset(const FrameInfo& info, bool failed) {
    if (failed || info.has_merges) {
      for (uint32_t slot = 0; slot < slots.size(); ++slot) Clear(info, slot);
    }
    if (!states.empty())
      std::memcpy(states.data(), info.initial_states.data(), states.size() * sizeof(uint64_t));
    frame = nullptr;
    iteration = 0;
    holds = 0;
    children.clear();
  }

  const uint32_t info_index;  // of the static frame it was made for
  std::vector<Slot> slots;
  std::vector<uint64_t> states;
  Frame* frame = nullptr;
  int64_t iteration = 0;
  int64_t holds = 0;
  absl::InlinedVector<Frame*, 1> children;  // guarded by frame->mu
};

// One execution of a while loop (or of the root).
struct Frame {
  // taken only in graphs with loops that run on several threads; guards all members below
  absl::Mutex mu;
  const FrameInfo* info = nullptr;
  uint32_t info_index = 0;
  Frame* parent = nullptr;
  Activation* parent_activation = nullptr;
  uint64_t id = 0;     // the same at both ends of a cut edge
  int64_t newest = 0;  // the iteration that began last
  int live_iterations = 0;
  std::vector<Activation*>
      window;  // iterations by number modulo its size, a power of two; null: ended, or not begun
  struct Waiting {
    uint32_t node;
    bool dead;
    Slot value;
  };
  std::vector<Waiting>
      constants;  // values of constant Enters that have arrived; later iterations get them
  std::vector<Waiting>
      deferred;  // NextIterations that wait until parallel_iterations allows one more
  std::vector<uint32_t> dead_exits;  // Exits that were dead in the newest iteration

  Activation*& at(int64_t iteration) {
    return window[static_cast<size_t>(iteration) & (window.size() - 1)];
  }
};

// The id of a frame instance, from the place where it was entered. It is the same in every task of
// a step.
inline uint64_t FrameId(uint64_t parent_id, int64_t parent_iteration, uint64_t name_hash) {
  auto mix = [](uint64_t x) {  // splitmix64's finaliser
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  };
  return mix(mix(parent_id + 0x9e3779b97f4a7c15u) ^
             mix(static_cast<uint64_t>(parent_iteration) + name_hash)) |
         1;
}

}  // namespace sluice::worker

#endif  // SLUICE_WORKER_SERVICE_FRAME_H_
