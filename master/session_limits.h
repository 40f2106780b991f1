// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_SESSION_LIMITS_H_
#define SLUICE_MASTER_SESSION_LIMITS_H_

#include <cstdint>

#include "absl/time/time.h"

namespace sluice::master {

// Limits on the sessions of a master. If `open` sessions exist, or the client has `per_client`, a
// new one replaces an abandoned one, or the one that was idle longest, for at least `idle_s`
// seconds. If there is none, CreateSession fails with RESOURCE_EXHAUSTED.
struct SessionLimits {
  int open = 4096;
  int per_client = 0;                            // of one address; 0: three quarters of `open`
  absl::Duration abandoned = absl::Seconds(10);  // how long without calls, if the client is gone
  int idle_s = 3600;
  // A client is gone if its connection closed within `last_seen` of its last call: a connection
  // that a proxy closes was idle for longer. Its session is closed if no call follows for this
  // long. A client on another host may be cut off by its network, and come back.
  absl::Duration last_seen = absl::Seconds(10);
  absl::Duration gone_here = absl::Seconds(30);
  absl::Duration gone_elsewhere = absl::Minutes(10);
  absl::Duration idle() const { return absl::Seconds(idle_s); }

  // What each session may hold. All sessions of one client may hold kSessionsWorth times as much. A
  // call that needs more fails with RESOURCE_EXHAUSTED.
  static constexpr int64_t kSessionsWorth = 10;
  int64_t graph_bytes = int64_t{4} << 30;  // of all its GraphDefs, with their constants
  int64_t signatures = 10'000;             // compiled sets of feeds, fetches and targets
  int64_t callables = 10'000;
  int64_t partial_runs = 10'000;  // set up, and not ended
  int64_t steps = 100'000;        // at once
};

}  // namespace sluice::master

#endif  // SLUICE_MASTER_SESSION_LIMITS_H_
