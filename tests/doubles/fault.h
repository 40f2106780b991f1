// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_DOUBLES_FAULT_H_
#define SLUICE_TESTS_DOUBLES_FAULT_H_

#include <cstdint>

#include "transport/return_paths.h"

namespace sluice::transport {

// The faults to inject. Each is a fraction of all tensors, from 0 to 1.
struct FaultRates {
  uint64_t seed = 0;
  double drop = 0;      // vanishes without an error
  double corrupt = 0;   // one bit of its content is flipped
  double misshape = 0;  // has one more dimension than it was sent with
};

// The fault of the tensor `id`. It depends only on the seed, the step number and the key, not on
// other tensors or threads.
struct Fault {
  bool drop = false, corrupt = false, misshape = false;
  uint64_t bit = 0;  // the bit, modulo the number of bits
};
Fault FaultOf(const FaultRates& rates, const ParcelId& id);

// The parcel after the fault; the original is unchanged. Tensors without content, and types that
// cannot be corrupted (resources, variants), are not changed.
absl::StatusOr<Parcel> InjectFault(const Fault& fault, const Parcel& parcel);

}  // namespace sluice::transport

#endif  // SLUICE_TESTS_DOUBLES_FAULT_H_
