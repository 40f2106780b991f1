// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_TOKEN_TABLE_H_
#define SLUICE_TRANSPORT_PROTOCOL_TOKEN_TABLE_H_

#include <deque>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "transport/transport.h"

namespace sluice::transport {

// The token table: recent connection offers, with one token for each task of one incarnation.
// Sessions with their own cluster use ever new task names, so the oldest entries are removed.
//
// Threads:  any.
class TokenTable {
 public:
  std::string TokenFor(const PeerIdentity& peer);
  bool Knows(const std::string& task, const std::string& token) const;

 private:
  struct Entry {
    uint64_t incarnation = 0;
    std::string token;
  };
  mutable absl::Mutex mu_;
  absl::flat_hash_map<std::string, Entry> tokens_ ABSL_GUARDED_BY(mu_);
  std::deque<std::string> order_ ABSL_GUARDED_BY(mu_);  // in order of arrival
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_TOKEN_TABLE_H_
