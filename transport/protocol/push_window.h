// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_PUSH_WINDOW_H_
#define SLUICE_TRANSPORT_PROTOCOL_PUSH_WINDOW_H_

#include <cstdint>
#include <list>
#include <optional>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "transport/tensor_channel.h"

namespace sluice::transport {

// A PushWindow decides, for one peer, which tensors go out at once and which wait to be pulled.
//
// Per step it counts the bytes that went out and are not consumed yet. A tensor that keeps the
// count within the credit goes at once. So does a tensor larger than the whole credit, when no
// other tensor of its step is out. Any other tensor is kept (by reference) until the credit has
// room again, oldest first, or until the peer pulls it. The peer pulls when its Recv is reached. So
// a tensor with a waiting Recv always moves, for any order on the two sides, and credit cannot
// deadlock.
//
// If no tensor of a step is kept, the step is removed when it ends here. Otherwise it is removed
// when the peer has pulled all of them, or reports that the step ended there.
//
// Threads:  one at a time; the channel's mutex.
class PushWindow {
 public:
  enum class Verdict {
    kPush,      // `parcel` is untouched: send it
    kAnnounce,  // `parcel` was moved here: announce it
    kDrop,      // the step has ended at the peer
  };
  explicit PushWindow(int64_t credit) : credit_(credit) {}

  Verdict Send(const ParcelId& id, Parcel& parcel);
  // Returns a tensor that the peer requests, to send at any credit; nothing if it is not kept.
  std::optional<Parcel> Pull(const ParcelId& id);
  // Returns the kept tensors that fit now, to be sent.
  std::vector<std::pair<ParcelId, Parcel>> Consumed(const StepId& step, int64_t bytes);
  void EndStep(const StepId& step);  // the step ended here
  // the step ended at the peer: tensors kept for it are dropped
  void PeerEndStep(const StepId& step);

  int64_t in_flight(const StepId& step) const;
  size_t kept() const { return kept_; }  // tensors of all steps
  size_t steps() const { return steps_.size(); }

 private:
  struct Window {
    int64_t in_flight = 0;
    bool ended = false, peer_ended = false;
    absl::flat_hash_map<EdgeKey, Parcel> kept;
    std::list<EdgeKey> order;  // of `kept`; pulled tensors may still be listed
  };
  bool Fits(const Window& window, int64_t bytes) const;
  int64_t credit_;
  size_t kept_ = 0;
  absl::flat_hash_map<StepId, Window> steps_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_PUSH_WINDOW_H_
