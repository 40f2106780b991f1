// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_WIRE_READER_H_
#define SLUICE_KERNELS_COMMON_PARSING_WIRE_READER_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "absl/strings/string_view.h"

namespace sluice::kernels {

// A WireReader reads Protobuf's wire format without messages, with the tolerance of TensorFlow's
// parser of examples: a message whose length exceeds the rest ends where the rest ends.
//
// Threads:  one at a time. The bytes outlive the reader.
class WireReader {
 public:
  static constexpr uint8_t Varints(int field) { return static_cast<uint8_t>(field << 3); }
  static constexpr uint8_t Delimited(int field) { return static_cast<uint8_t>(field << 3 | 2); }
  static constexpr uint8_t Fixed32(int field) { return static_cast<uint8_t>(field << 3 | 5); }

  explicit WireReader(absl::string_view bytes)
      : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool AtEnd() const { return at_ == end_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  const char* at() const { return at_; }
  absl::string_view rest() const { return {at_, left()}; }
  uint8_t Peek() const { return AtEnd() ? 0 : static_cast<uint8_t>(*at_); }

  // Consumes this tag of one byte. Returns false if another one is next.
  bool Take(uint8_t tag) {
    if (AtEnd() || static_cast<uint8_t>(*at_) != tag) return false;
    ++at_;
    return true;
  }

  // At most ten bytes; more bits than 64 are dropped.
  bool Varint(uint64_t* value) {
    if (!AtEnd() && static_cast<int8_t>(*at_) >= 0) {
      *value = static_cast<uint8_t>(*at_++);
      return true;
    }
    return LongVarint(value);
  }
  bool Varint32(uint32_t* value) {
    uint64_t wide = 0;
    if (!Varint(&wide)) return false;
    *value = static_cast<uint32_t>(wide);
    return true;
  }

  bool Fixed32(uint32_t* value) {
    if (left() < sizeof *value) return false;
    std::memcpy(value, at_, sizeof *value);
    at_ += sizeof *value;
    return true;
  }

  // A length and so many bytes.
  bool Bytes(absl::string_view* bytes) {
    uint32_t length = 0;
    if (!Varint32(&length) || length > left()) return false;
    *bytes = absl::string_view(at_, length);
    at_ += length;
    return true;
  }

  // Reads a length. Until Leave, the end is there, unless it is behind the present end.
  bool Enter(const char** outer_end, uint32_t* length) {
    if (!Varint32(length)) return false;
    *outer_end = Limit(*length);
    return true;
  }
  bool Enter(const char** outer_end) {
    uint32_t length = 0;
    return Enter(outer_end, &length);
  }
  // The same for a length that is known. Returns the end before.
  const char* Limit(uint32_t length) {
    const char* const outer_end = end_;
    end_ = at_ + std::min<size_t>(length, left());
    return outer_end;
  }
  void Leave(const char* outer_end) { end_ = outer_end; }
  void SkipRest() { at_ = end_; }
  // Skips an unknown field with its tag. Returns false for groups and malformed bytes.
  bool SkipField();

 private:
  bool LongVarint(uint64_t* value);
  bool Skip(size_t bytes) {
    if (bytes > left()) return false;
    at_ += bytes;
    return true;
  }

  const char* at_;
  const char* end_;
};

inline bool WireReader::LongVarint(uint64_t* value) {
  uint64_t result = 0;
  const auto most = static_cast<int>(std::min<size_t>(left(), 10));
  for (int i = 0; i < most; ++i) {
    const auto byte = static_cast<uint8_t>(at_[i]);
    result |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      at_ += i + 1;
      *value = result;
      return true;
    }
  }
  return false;
}

inline bool WireReader::SkipField() {
  uint32_t tag = 0, length = 0;
  if (!Varint32(&tag)) return false;
  switch (tag & 7) {
    case 0:
      return Varint32(&length);
    case 1:
      return Skip(8);
    case 2:
      if (!Varint32(&length)) return false;
      if (static_cast<int32_t>(length) >= 0) at_ += std::min<size_t>(length, left());
      return true;
    case 5:
      return Skip(4);
    default:
      return false;
  }
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_WIRE_READER_H_
