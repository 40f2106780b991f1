// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_ADMISSION_CONNECTION_TABLE_H_
#define SLUICE_TRANSPORT_ADMISSION_CONNECTION_TABLE_H_

#include <cstdint>
#include <map>
#include <memory>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/time.h"
#include "core/status.h"
#include "transport/admission/admission_log.h"
#include "transport/admission/connection_limits.h"
#include "transport/admission/endpoint.h"
#include "transport/admission/open_connection.h"
#include "transport/admission/token_bucket.h"

namespace sluice::transport {

// The connections of a task's port. A connection that has opened a session, run a step or brought
// a tensor stream is *known*; all others are strangers. Strangers never keep a newcomer out: the
// oldest one gives way. They hold at most three quarters of the limits, so that there is room for a
// newcomer before the one that gives way is closed.
//
// Owner:    the port.
// Threads:  any.
class ConnectionTable {
 public:
  static constexpr absl::Duration kHarmful = absl::Seconds(10);
  // Of calls: in a second, at once, and how many more are refused before a stranger is ended.
  static constexpr int kStrangersCalls = 200, kStrangersBurst = 4000;
  static constexpr int kKnownCalls = 2000, kKnownBurst = 20'000;
  static constexpr int kMostRefused = 500;

  ConnectionTable(ConnectionLimits limits, AdmissionLog* log);

  // Adds a new connection. RESOURCE_EXHAUSTED if known connections hold all places.
  absl::StatusOr<std::shared_ptr<OpenConnection>> Add(int fd);
  // By the address as gRPC writes it. Null if it is not there.
  std::shared_ptr<OpenConnection> Find(absl::string_view peer) const;
  void BecomesKnown(OpenConnection* connection);
  // RESOURCE_EXHAUSTED if the connection's client makes too many calls; `cost` is 1 for a call that
  // costs little. Strangers of one address share a budget, a known connection has its own. Who
  // becomes known gives back what it took, so that a program may open sessions at any rate. Ends a
  // stranger that goes on to call.
  absl::Status MayCall(const OpenConnection& connection, int cost);
  void Remove(const OpenConnection* connection);
  // Ends the stranger that has been here for longest.
  void EndOldestStranger();
  // Resets the connection of a client that costs the others too much time; `why` is for the log.
  // For kHarmful its address counts as harmful.
  void EndHarmful(const OpenConnection& connection, absl::string_view why);
  bool IsHarmful(const IpAddress& address) const;
  // Once a second, or more often: forgets closed connections, and ends those that send too much.
  void Check();
  // It has nothing to check.
  bool IsIdle() const;

 private:
  using Strangers = std::map<uint64_t, Endpoint>;  // by number: the oldest first
  struct Entry {
    std::shared_ptr<OpenConnection> connection;
    uint64_t number = 0;  // a later one has a larger number
    TokenBucket calls{kKnownCalls, kKnownBurst};
    int refused = 0;  // calls of a stranger
    int taken = 0;    // of the strangers' budget
  };
  struct Address {
    size_t connections = 0;
    Strangers strangers;
  };

  bool IsHarmfulAt(const IpAddress& address, absl::Time now) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool IsFull() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool IsFull(const IpAddress& address) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Drop(const Endpoint& peer) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ForgetClosed() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void EndOldest(const Strangers& strangers) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const ConnectionLimits limits_;
  const int most_strangers_;
  AdmissionLog* const log_;  // outlives this
  mutable absl::Mutex mu_;
  absl::Time looked_ ABSL_GUARDED_BY(mu_) = absl::InfinitePast();
  uint64_t last_number_ ABSL_GUARDED_BY(mu_) = 0;
  absl::flat_hash_map<Endpoint, Entry> open_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<IpAddress, Address> addresses_ ABSL_GUARDED_BY(mu_);
  Strangers strangers_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<IpAddress, absl::Time> harmful_until_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_map<IpAddress, TokenBucket> strangers_calls_ ABSL_GUARDED_BY(mu_);
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_ADMISSION_CONNECTION_TABLE_H_
