// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_GRPC_PROTOBUF_WIRE_H_
#define SLUICE_TRANSPORT_GRPC_PROTOBUF_WIRE_H_

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/io/coding.h"
#include "core/status.h"

// Protobuf's wire format, written by hand for messages that hold tensors: field tags, varints and
// lengths over bytes in several pieces.

namespace sluice::transport {

constexpr uint32_t kVarint = 0, kFixed64 = 1, kDelimited = 2, kFixed32 = 5;  // wire types

// Reads bytes in several pieces, in order. Never reads past the end: too few bytes are
// INVALID_ARGUMENT.
//
// Threads:  one. The pieces outlive it.
class PieceReader {
 public:
  explicit PieceReader(std::vector<absl::string_view> pieces);

  size_t left() const { return left_; }
  absl::Status Varint(uint64_t* value);
  absl::Status Copy(void* to, size_t bytes);
  absl::Status Skip(size_t bytes);
  // The next field's number and wire type.
  absl::Status Tag(uint32_t* field, uint32_t* type);
  absl::Status SkipField(uint32_t type);
  // A length that does not exceed the remaining bytes.
  absl::Status Length(size_t* length);
  absl::Status String(std::string* value);  // length and bytes
  // A reader of the next `length` bytes, which this one skips.
  absl::StatusOr<PieceReader> Sub(size_t length);
  // The length-delimited field that follows, as a reader of its own.
  absl::StatusOr<PieceReader> SubField();

 private:
  std::shared_ptr<const std::vector<absl::string_view>> pieces_;  // shared by readers of parts
  size_t piece_ = 0, offset_ = 0, left_ = 0;
};

// Appends wire format to a string.
class WireWriter {
 public:
  explicit WireWriter(std::string* out) : out_(out) {}
  void Varint(uint64_t value) { AppendVarint(value, out_); }
  void Tag(uint32_t field, uint32_t type) { Varint(field << 3 | type); }
  void VarintField(uint32_t field, uint64_t value) {
    Tag(field, kVarint);
    Varint(value);
  }
  void Bytes(uint32_t field, absl::string_view value) {
    Tag(field, kDelimited);
    Varint(value.size());
    out_->append(value.data(), value.size());
  }

 private:
  std::string* const out_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_PROTOBUF_WIRE_H_
