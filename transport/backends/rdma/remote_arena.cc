// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/remote_arena.h"

#include "core/io/coding.h"

namespace sluice::transport {
namespace {

constexpr uint64_t kMostSegments = uint64_t{1} << 32;

}  // namespace

void LentSegment::Write(std::string* out) const {
  for (const uint64_t value : {number, address, bytes, uint64_t{rkey}}) AppendVarint(value, out);
}

absl::StatusOr<LentSegment> LentSegment::Read(absl::string_view bytes) {
  LentSegment segment;
  uint64_t rkey = 0;
  for (uint64_t* value : {&segment.number, &segment.address, &segment.bytes, &rkey}) {
    if (!TakeVarint(&bytes, value)) return InvalidArgument("a malformed segment");
  }
  if (segment.number >= kMostSegments || rkey > UINT32_MAX)
    return InvalidArgument("segment ", segment.number, " of key ", rkey);
  segment.rkey = static_cast<uint32_t>(rkey);
  return segment;
}

std::optional<RemoteArena::Place> RemoteArena::Take(size_t bytes) {
  const size_t wanted = RoundedUp(bytes, FreeSpace::kGrain);
  for (auto& [number, segment] : segments_) {
    const std::optional<size_t> offset = segment.free.Take(wanted);
    if (!offset.has_value()) continue;
    used_[{number, *offset}] = wanted;
    return Place{{number, *offset}, segment.lent.address + *offset, segment.lent.rkey};
  }
  return std::nullopt;
}

absl::Status RemoteArena::Give(const Extent& at) {
  auto it = used_.find({at.number, at.offset});
  if (it == used_.end())
    return InvalidArgument("no content at ", at.offset, " of segment ", at.number);
  segments_[at.number].free.Give(at.offset, it->second);
  used_.erase(it);
  return absl::OkStatus();
}

absl::Status RemoteArena::Add(const LentSegment& segment) {
  if (!segments_.try_emplace(segment.number, Segment{segment, FreeSpace(segment.bytes)}).second)
    return InvalidArgument("segment ", segment.number, " was lent before");
  held_ += segment.bytes;
  return absl::OkStatus();
}

}  // namespace sluice::transport
