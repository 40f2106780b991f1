// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_CONNECTION_LIMITS_H_
#define SLUICE_TRANSPORT_ADMISSION_CONNECTION_LIMITS_H_

namespace sluice::transport {

// How many connections a task's port has at most.
struct ConnectionLimits {
  int connections = 0;      // 0: three quarters of the process's descriptors (RLIMIT_NOFILE)
  int per_address = 0;      // 0: three quarters of `connections`
  double strangers = 0.75;  // which part of `connections` may be strangers
};

// For a port of tensor streams. A peer opens its stream at once, so few connections have none; those
// are the strangers.
inline ConnectionLimits LimitsOfStreams(ConnectionLimits limits) {
  limits.strangers = 0.25;
  return limits;
}

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_CONNECTION_LIMITS_H_
