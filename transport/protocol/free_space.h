// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_PROTOCOL_FREE_SPACE_H_
#define SLUICE_TRANSPORT_PROTOCOL_FREE_SPACE_H_

#include <cstddef>
#include <map>
#include <optional>

namespace sluice::transport {

// The free parts of one segment, a piece of memory in which contents are placed.
//
// Threads:  one at a time; its owner's mutex.
class FreeSpace {
 public:
  static constexpr size_t kGrain = 4096;  // sizes and offsets are multiples of this

  FreeSpace() = default;
  explicit FreeSpace(size_t bytes) : bytes_(bytes), free_{{0, bytes}} {}

  // The offset of a part of so many bytes; nothing if there is no such part. It is the first that
  // fits: recently used memory is in the cache and has low addresses.
  // REQUIRES: a multiple of kGrain.
  std::optional<size_t> Take(size_t bytes);
  // Returns a part that Take gave.
  void Give(size_t offset, size_t bytes);
  bool all_free() const { return free_.size() == 1 && free_.begin()->second == bytes_; }

 private:
  size_t bytes_ = 0;
  std::map<size_t, size_t> free_;  // offset -> bytes; neighbours are joined
};

// `bytes`, rounded up to a multiple of `to`. Less than `bytes` if that is too large a number.
inline size_t RoundedUp(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// The size of a new segment for a content of `bytes`, where segments of `held` bytes exist already:
// segments grow as more is needed. 0 if it would exceed `limit`.
size_t NextSegmentBytes(size_t bytes, size_t held, size_t limit);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_PROTOCOL_FREE_SPACE_H_
