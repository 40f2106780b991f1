// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BUSY_POLL_H_
#define SLUICE_TRANSPORT_BUSY_POLL_H_

#include <thread>

#include "absl/time/time.h"

namespace sluice::transport {

// The busy-poll duration of a loop before it sleeps: about the time of a client between two small
// steps. A core that sleeps takes long to wake. On a machine with one core the loop does not keep
// it from other threads.
inline absl::Duration BusyPollDuration() {
  static const absl::Duration time =
      std::thread::hardware_concurrency() > 1 ? absl::Microseconds(200) : absl::ZeroDuration();
  return time;
}

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BUSY_POLL_H_
