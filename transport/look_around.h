#ifndef SLUICE_TRANSPORT_LOOK_AROUND_H_
#define SLUICE_TRANSPORT_LOOK_AROUND_H_

#include <thread>

#include "absl/time/time.h"

namespace sluice::transport {

// How long a loop looks around before it sleeps: about as long as a client takes from one small
// step to the next. A core that slept takes long to wake; the only core is not kept from others.
inline absl::Duration LookAroundTime() {
  static const absl::Duration time =
      std::thread::hardware_concurrency() > 1 ? absl::Microseconds(200) : absl::ZeroDuration();
  return time;
}

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_LOOK_AROUND_H_
