#include "worker_service/frame.h"

namespace sluice::worker {

void Activation::Fill(const Preset& preset) {
  slots[preset.slot].state = Slot::State::kValue;
  slots[preset.slot].value = preset.value;
}

}  // namespace sluice::worker
