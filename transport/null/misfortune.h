#ifndef SLUICE_TRANSPORT_NULL_MISFORTUNE_H_
#define SLUICE_TRANSPORT_NULL_MISFORTUNE_H_

#include <cstdint>

#include "transport/return_paths.h"

namespace sluice::transport {

// What may happen to a tensor, each a share of all tensors from 0 to 1.
struct Misfortunes {
  uint64_t seed = 0;
  double drop = 0;      // vanishes without a word
  double corrupt = 0;   // one bit of its content is another
  double misshape = 0;  // has one dimension more than it was sent with
};

// What happens to the tensor `id`: the same for the same seed, step number and key, whatever else
// is sent, by whichever threads.
struct Misfortune {
  bool drop = false, corrupt = false, misshape = false;
  uint64_t bit = 0;  // which of them, modulo those there are
};
Misfortune MisfortuneOf(const Misfortunes& shares, const ParcelId& id);

// The parcel as it arrives then; the tensor that was sent is left as it is. What has no content,
// and what its type does not let be corrupted (resources, variants), stays.
absl::StatusOr<Parcel> Befallen(const Misfortune& misfortune, const Parcel& parcel);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_NULL_MISFORTUNE_H_
