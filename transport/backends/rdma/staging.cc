// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/rdma/staging.h"

namespace sluice::transport {

absl::StatusOr<std::shared_ptr<Staging::Block>> Staging::Take(size_t bytes) {
  const size_t wanted = RoundedUp(bytes, FreeSpace::kGrain);
  if (wanted < bytes) return ResourceExhausted("a content of ", bytes, " bytes");
  absl::MutexLock lock(&mu_);
  for (bool grown : {false, true}) {
    for (size_t i = 0; i < segments_.size(); ++i) {
      const std::optional<size_t> offset = segments_[i].free.Take(wanted);
      if (!offset.has_value()) continue;
      return std::make_shared<Block>(shared_from_this(), i, *offset,
                                     segments_[i].memory->data() + *offset, wanted);
    }
    if (grown) break;
    const size_t size = NextSegmentBytes(wanted, held_, limit_);
    if (size == 0) break;
    SLUICE_ASSIGN(auto memory, RegisteredMemory::Create(domain_, size, IBV_ACCESS_LOCAL_WRITE));
    segments_.push_back({std::move(memory), FreeSpace(size)});
    held_ += size;
  }
  return ResourceExhausted("memory to send from is limited to ", limit_, " bytes, ", held_,
                           " are in use");
}

std::optional<uint32_t> Staging::KeyOf(const void* data, size_t bytes) const {
  const auto* at = static_cast<const char*>(data);
  absl::MutexLock lock(&mu_);
  for (const Segment& segment : segments_) {
    const char* begin = segment.memory->data();
    if (at >= begin && at + bytes <= begin + segment.memory->size())
      return segment.memory->registration().lkey();
  }
  return std::nullopt;
}

void Staging::Give(size_t segment, size_t offset, size_t bytes) {
  absl::MutexLock lock(&mu_);
  segments_[segment].free.Give(offset, bytes);
}

}  // namespace sluice::transport
