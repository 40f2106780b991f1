// SPDX-License-Identifier: Apache-2.0
#include "transport/protocol/frame_reader.h"

#include <algorithm>
#include <cstring>

#include "core/io/crc32c.h"

namespace sluice::transport {
namespace {

// The length of the prefix and the head at the front of `bytes`, as far as it is known.
absl::StatusOr<size_t> LengthOf(absl::string_view bytes) {
  if (bytes.size() < kFramePrefix) return kFramePrefix;
  SLUICE_ASSIGN(const size_t head, HeadLength(bytes.data()));
  return kFramePrefix + head;
}

}  // namespace

absl::Status FrameReader::Take(absl::string_view bytes) {
  while (!bytes.empty()) {
    if (left_ > 0) {
      const size_t n = std::min(left_, bytes.size());
      if (content_.to != nullptr) std::memcpy(content_.to, bytes.data(), n);
      SLUICE_RETURN_IF_ERROR(Arrived(bytes.substr(0, n)));
      bytes.remove_prefix(n);
      continue;
    }
    if (awaits_sum_) {
      const size_t n = std::min(kSumBytes - partial_.size(), bytes.size());
      partial_.append(bytes.data(), n);
      bytes.remove_prefix(n);
      if (partial_.size() == kSumBytes) SLUICE_RETURN_IF_ERROR(TakeSum());
      continue;
    }
    SLUICE_ASSIGN(size_t length, LengthOf(partial_.empty() ? bytes : partial_));
    if (partial_.empty() && length > kFramePrefix && length <= bytes.size()) {
      SLUICE_RETURN_IF_ERROR(TakeHead(bytes.substr(kFramePrefix, length - kFramePrefix)));
      bytes.remove_prefix(length);
      continue;
    }
    // Collects first the missing bytes of the prefix, then those of the head.
    const size_t n = std::min(length - partial_.size(), bytes.size());
    partial_.append(bytes.data(), n);
    bytes.remove_prefix(n);
    SLUICE_ASSIGN(length, LengthOf(partial_));
    if (partial_.size() < length) continue;
    const std::string head = std::move(partial_);
    partial_.clear();
    SLUICE_RETURN_IF_ERROR(TakeHead(absl::string_view(head).substr(kFramePrefix)));
  }
  return absl::OkStatus();
}

absl::Status FrameReader::Filled(size_t bytes) { return Arrived({content_.to, bytes}); }

absl::Status FrameReader::Arrived(absl::string_view bytes) {
  if (frame_.head.summed) crc_ = Crc32c(bytes, crc_);
  left_ -= bytes.size();
  if (content_.to != nullptr) content_.to += bytes.size();
  return EndIfComplete();
}

absl::Status FrameReader::TakeHead(absl::string_view head) {
  SLUICE_RETURN_IF_ERROR(ReadHead(head, &frame_));
  SLUICE_ASSIGN(content_, sink_->Begin(frame_));
  if (!frame_.has_content()) return absl::OkStatus();
  left_ = frame_.bytes;
  crc_ = 0;
  awaits_sum_ = frame_.head.summed;
  return EndIfComplete();
}

absl::Status FrameReader::TakeSum() {
  const uint32_t sum = ReadSum(partial_.data());
  partial_.clear();
  awaits_sum_ = false;
  if (sum != crc_) {
    const uint64_t begin = frame_.kind == FrameKind::kPart ? frame_.at.offset : 0;
    return MakeStatus(absl::StatusCode::kDataLoss, "the content of ", frame_.id.key, " of step ",
                      frame_.id.step, ", a tensor ", frame_.head.dtype, frame_.head.shape,
                      ", was changed on its way: the CRC-32C of bytes ", begin, " to ",
                      begin + frame_.bytes, " is ", absl::Hex(crc_), ", it should be ",
                      absl::Hex(sum));
  }
  return EndIfComplete();
}

absl::Status FrameReader::EndIfComplete() {
  if (left_ > 0 || awaits_sum_) return absl::OkStatus();
  content_ = {};  // before End: the receiver may need the only reference
  return sink_->End(frame_);
}

}  // namespace sluice::transport
