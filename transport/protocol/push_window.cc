// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/push_window.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sluice::transport {

int64_t ParcelBytes(const Parcel& parcel) {
  // Each tensor is charged for bookkeeping on both sides too: 10^5 scalars take memory.
  constexpr int64_t kEach = 128;
  const Tensor& tensor = parcel.tensor;
  if (!tensor.valid()) return kEach;
  if (tensor.dtype() != kString) return kEach + static_cast<int64_t>(tensor.bytes());
  int64_t bytes = kEach;
  for (const std::string& value : tensor.flat<std::string>())
    bytes += static_cast<int64_t>(sizeof(value) + value.size());
  return bytes;
}

PushWindow::Verdict PushWindow::Send(const ParcelId& id, Parcel& parcel) {
  Window& window = steps_[id.step];
  if (window.peer_ended) return Verdict::kDrop;
  const int64_t bytes = ParcelBytes(parcel);
  if (Fits(window, bytes)) {
    window.in_flight += bytes;
    return Verdict::kPush;
  }
  if (window.kept.insert_or_assign(id.key, std::move(parcel)).second) ++kept_;
  window.order.push_back(id.key);
  return Verdict::kAnnounce;
}

bool PushWindow::Fits(const Window& window, int64_t bytes) const {
  return window.in_flight == 0 || bytes <= credit_ - window.in_flight;
}

std::optional<Parcel> PushWindow::Pull(const ParcelId& id) {
  auto step = steps_.find(id.step);
  if (step == steps_.end()) return std::nullopt;
  Window& window = step->second;
  auto it = window.kept.find(id.key);
  if (it == window.kept.end()) return std::nullopt;
  Parcel parcel = std::move(it->second);
  window.kept.erase(it);
  --kept_;
  window.in_flight += ParcelBytes(parcel);
  if (window.ended && window.kept.empty()) steps_.erase(step);
  return parcel;
}

std::vector<std::pair<ParcelId, Parcel>> PushWindow::Consumed(const StepId& step, int64_t bytes) {
  std::vector<std::pair<ParcelId, Parcel>> freed;
  auto it = steps_.find(step);
  if (it == steps_.end() || bytes < 0) return freed;
  Window& window = it->second;
  // Never below zero: the peer cannot add credit beyond the limit.
  window.in_flight -= std::min(window.in_flight, bytes);
  while (!window.order.empty()) {
    auto oldest = window.kept.find(window.order.front());
    if (oldest != window.kept.end()) {
      const int64_t size = ParcelBytes(oldest->second);
      if (!Fits(window, size)) break;
      window.in_flight += size;
      freed.emplace_back(ParcelId{step, oldest->first}, std::move(oldest->second));
      window.kept.erase(oldest);
      --kept_;
    }
    window.order.pop_front();
  }
  if (window.ended && window.kept.empty()) steps_.erase(it);
  return freed;
}

void PushWindow::EndStep(const StepId& step) {
  auto it = steps_.find(step);
  if (it == steps_.end()) return;
  it->second.ended = true;
  if (it->second.kept.empty()) steps_.erase(it);
}

void PushWindow::PeerEndStep(const StepId& step) {
  auto it = steps_.find(step);
  if (it == steps_.end()) return;
  kept_ -= it->second.kept.size();
  it->second.kept.clear();
  it->second.order.clear();
  it->second.peer_ended = true;
  if (it->second.ended) steps_.erase(it);
}

int64_t PushWindow::in_flight(const StepId& step) const {
  auto it = steps_.find(step);
  return it == steps_.end() ? 0 : it->second.in_flight;
}

}  // namespace sluice::transport
