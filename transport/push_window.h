#ifndef SLUICE_TRANSPORT_PUSH_WINDOW_H_
#define SLUICE_TRANSPORT_PUSH_WINDOW_H_

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
// Per step it counts the bytes that went out and were not yet consumed there. A tensor that keeps
// the count within the credit goes at once; so does one larger than the whole credit when nothing
// else of its step is out. Any other is kept (by reference) until the credit has room again, oldest
// first, or the peer pulls it, which it does when its Recv is reached: whatever the order on the
// two sides, a tensor somebody waits for moves, so credit cannot deadlock.
//
// A step of which nothing is kept is forgotten when it ends here; one of which something is kept,
// when the peer has pulled it all or says that the step ended there.
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
  // A tensor the peer asks for, to be sent whatever the credit; nothing when it is not kept.
  std::optional<Parcel> Pull(const ParcelId& id);
  // Gives the kept tensors that fit now, to be sent.
  std::vector<std::pair<ParcelId, Parcel>> Consumed(const StepId& step, int64_t bytes);
  void EndStep(const StepId& step);      // here
  void PeerEndStep(const StepId& step);  // there: what is kept for it is dropped

  int64_t in_flight(const StepId& step) const;
  size_t kept() const { return kept_; }  // tensors of all steps
  size_t steps() const { return steps_.size(); }

 private:
  struct Window {
    int64_t in_flight = 0;
    bool ended = false, peer_ended = false;
    absl::flat_hash_map<EdgeKey, Parcel> kept;
    std::list<EdgeKey> order;  // of `kept`; those that were pulled may still stand in it
  };
  bool Fits(const Window& window, int64_t bytes) const;
  int64_t credit_;
  size_t kept_ = 0;
  absl::flat_hash_map<StepId, Window> steps_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PUSH_WINDOW_H_
