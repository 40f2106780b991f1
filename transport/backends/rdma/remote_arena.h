// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_RDMA_REMOTE_ARENA_H_
#define SLUICE_TRANSPORT_BACKENDS_RDMA_REMOTE_ARENA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "transport/protocol/frames.h"
#include "transport/protocol/free_space.h"

namespace sluice::transport {

// A segment of memory that a receiver lends to a sender.
struct LentSegment {
  uint64_t number = 0, address = 0, bytes = 0;
  uint32_t rkey = 0;

  void Write(std::string* out) const;
  static absl::StatusOr<LentSegment> Read(absl::string_view bytes);
};

// The sender's account of the arena that its receiver lends it: the sender chooses where contents
// go, and the receiver's `release` gives the place back.
//
// Threads:  one at a time; the channel's mutex.
class RemoteArena {
 public:
  struct Place {
    Extent at;
    uint64_t address = 0;
    uint32_t rkey = 0;
  };
  explicit RemoteArena(size_t limit) : limit_(limit) {}

  std::optional<Place> Take(size_t bytes);
  // INVALID_ARGUMENT if no content is there.
  absl::Status Give(const Extent& at);
  // The size of a segment to ask for, so that a content of `bytes` fits; 0 beyond the limit.
  size_t NextSegment(size_t bytes) const {
    return NextSegmentBytes(RoundedUp(bytes, FreeSpace::kGrain), held_, limit_);
  }
  absl::Status Add(const LentSegment& segment);

 private:
  struct Segment {
    LentSegment lent;
    FreeSpace free;
  };
  const size_t limit_;
  size_t held_ = 0;
  std::map<uint64_t, Segment> segments_;
  absl::flat_hash_map<std::pair<uint64_t, uint64_t>, size_t> used_;  // segment and offset -> bytes
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_RDMA_REMOTE_ARENA_H_
