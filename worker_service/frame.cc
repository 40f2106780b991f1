// SPDX-License-Identifier: Apache-2.0
#include "worker_service/frame.h"

namespace sluice::worker {

Activation::Activation(const FrameInfo& info, uint32_t info_index)
    : info_index(info_index), slots(info.num_slots), states(info.initial_states) {
  for (const Preset& preset : info.presets) Fill(preset);
}

void Activation::Fill(const Preset& preset) {
  slots[preset.slot].state = Slot::State::kValue;
  slots[preset.slot].value = preset.value;
}

}  // namespace sluice::worker
