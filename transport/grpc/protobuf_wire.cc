// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc/protobuf_wire.h"

#include <algorithm>

namespace sluice::transport {

PieceReader::PieceReader(std::vector<absl::string_view> pieces)
    : pieces_(std::make_shared<const std::vector<absl::string_view>>(std::move(pieces))) {
  for (absl::string_view piece : *pieces_) left_ += piece.size();
}

absl::Status PieceReader::Copy(void* to, size_t bytes) {
  if (bytes > left_)
    return InvalidArgument("message is cut short: ", bytes, " bytes wanted, ", left_, " left");
  left_ -= bytes;
  char* out = static_cast<char*>(to);
  while (bytes > 0) {
    const absl::string_view piece = (*pieces_)[piece_];
    const size_t n = std::min(bytes, piece.size() - offset_);
    if (out != nullptr && n > 0) {
      std::memcpy(out, piece.data() + offset_, n);
      out += n;
    }
    bytes -= n;
    offset_ += n;
    if (offset_ == piece.size()) {
      ++piece_;
      offset_ = 0;
    }
  }
  return absl::OkStatus();
}

absl::Status PieceReader::Skip(size_t bytes) { return Copy(nullptr, bytes); }

absl::Status PieceReader::Varint(uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    uint8_t byte = 0;
    SLUICE_RETURN_IF_ERROR(Copy(&byte, 1));
    if (shift < 64) *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return absl::OkStatus();
  }
  return InvalidArgument("a varint is over 10 bytes long");
}

absl::Status PieceReader::Tag(uint32_t* field, uint32_t* type) {
  uint64_t tag = 0;
  SLUICE_RETURN_IF_ERROR(Varint(&tag));
  if (tag > 0xffffffffu || (tag >> 3) == 0) return InvalidArgument("malformed field tag ", tag);
  *field = static_cast<uint32_t>(tag >> 3);
  *type = static_cast<uint32_t>(tag & 7);
  return absl::OkStatus();
}

absl::Status PieceReader::Length(size_t* length) {
  uint64_t value = 0;
  SLUICE_RETURN_IF_ERROR(Varint(&value));
  if (value > left_)
    return InvalidArgument("a field declares ", value, " bytes, ", left_, " are left");
  *length = static_cast<size_t>(value);
  return absl::OkStatus();
}

absl::Status PieceReader::String(std::string* value) {
  size_t length = 0;
  SLUICE_RETURN_IF_ERROR(Length(&length));
  value->resize(length);
  return Copy(value->data(), length);
}

absl::StatusOr<PieceReader> PieceReader::Sub(size_t length) {
  PieceReader part = *this;
  SLUICE_RETURN_IF_ERROR(Skip(length));
  part.left_ = length;
  return part;
}

absl::StatusOr<PieceReader> PieceReader::SubField() {
  size_t length = 0;
  SLUICE_RETURN_IF_ERROR(Length(&length));
  return Sub(length);
}

absl::Status PieceReader::SkipField(uint32_t type) {
  uint64_t ignored = 0;
  size_t length = 0;
  switch (type) {
    case kVarint:
      return Varint(&ignored);
    case kFixed64:
      return Skip(8);
    case kDelimited:
      SLUICE_RETURN_IF_ERROR(Length(&length));
      return Skip(length);
    case kFixed32:
      return Skip(4);
    default:
      return InvalidArgument("wire type ", type, " is not supported");
  }
}

}  // namespace sluice::transport
