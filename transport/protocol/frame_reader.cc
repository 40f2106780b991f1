// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/frame_reader.h"

#include <algorithm>
#include <cstring>

namespace sluice::transport {
namespace {

// Whether `bytes` hold a whole prefix and head. `*length` is set to their length as far as it is
// known.
bool HoldsHead(absl::string_view bytes, size_t* length) {
  *length = kFramePrefix;
  if (bytes.size() < kFramePrefix) return false;
  *length += HeadLength(bytes.data());
  return bytes.size() >= *length;
}

}  // namespace

absl::Status FrameReader::Take(absl::string_view bytes) {
  while (!bytes.empty()) {
    if (left_ > 0) {
      const size_t n = std::min(left_, bytes.size());
      if (content_.to != nullptr) std::memcpy(content_.to, bytes.data(), n);
      bytes.remove_prefix(n);
      SLUICE_RETURN_IF_ERROR(Filled(n));
      continue;
    }
    size_t length = 0;
    if (partial_.empty() && HoldsHead(bytes, &length)) {
      SLUICE_RETURN_IF_ERROR(TakeHead(bytes.substr(kFramePrefix, length - kFramePrefix)));
      bytes.remove_prefix(length);
      continue;
    }
    // Collects first the missing bytes of the prefix, then those of the head.
    HoldsHead(partial_, &length);
    const size_t n = std::min(length - partial_.size(), bytes.size());
    partial_.append(bytes.data(), n);
    bytes.remove_prefix(n);
    if (!HoldsHead(partial_, &length)) continue;
    const std::string head = std::move(partial_);
    partial_.clear();
    SLUICE_RETURN_IF_ERROR(TakeHead(absl::string_view(head).substr(kFramePrefix)));
  }
  return absl::OkStatus();
}

absl::Status FrameReader::Filled(size_t bytes) {
  left_ -= bytes;
  if (content_.to != nullptr) content_.to += bytes;
  return EndIfComplete();
}

absl::Status FrameReader::TakeHead(absl::string_view head) {
  if (head.size() > kMaxFrameHead)
    return InvalidArgument("a frame's head of ", head.size(), " bytes");
  SLUICE_RETURN_IF_ERROR(ReadHead(head, &frame_));
  SLUICE_ASSIGN(content_, sink_->Begin(frame_));
  if (!frame_.has_content()) return absl::OkStatus();
  left_ = frame_.bytes;
  return EndIfComplete();
}

absl::Status FrameReader::EndIfComplete() {
  if (left_ > 0) return absl::OkStatus();
  content_ = {};  // before End: the receiver may need the only reference
  return sink_->End(frame_);
}

}  // namespace sluice::transport
