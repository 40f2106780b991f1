// SPDX-License-Identifier: Apache-2.0
#include "core/io/snappy.h"

#include "core/io/coding.h"

namespace sluice {
namespace {

// Format: a varint with the uncompressed size, then elements. The low two bits of an element's
// first byte are its kind: 0 for literal bytes, else a copy of earlier output with an offset of 1,
// 2 or 4 bytes.
struct Decompression {
  absl::string_view from;
  std::string to = {};

  bool Take(size_t bytes, uint64_t* value) {
    if (from.size() < bytes) return false;
    *value = DecodeFixed(from.substr(0, bytes));
    from.remove_prefix(bytes);
    return true;
  }

  bool Literal(uint8_t tag) {
    uint64_t size = tag >> 2;
    if (size >= 60 && !Take(size - 59, &size)) return false;
    if (++size > from.size()) return false;
    to.append(from.data(), size);
    from.remove_prefix(size);
    return true;
  }

  bool Copy(uint8_t tag) {
    uint64_t size = (tag >> 2) + 1, offset = 0;
    switch (tag & 3) {
      case 1:
        size = ((tag >> 2) & 7) + 4;
        if (!Take(1, &offset)) return false;
        offset |= static_cast<uint64_t>(tag >> 5) << 8;
        break;
      case 2:
        if (!Take(2, &offset)) return false;
        break;
      default:
        if (!Take(4, &offset)) return false;
    }
    if (offset == 0 || offset > to.size()) return false;
    // A copy may overlap its own output, so it goes byte by byte.
    for (uint64_t i = 0; i < size; ++i) to.push_back(to[to.size() - offset]);
    return true;
  }

  bool Step(uint64_t limit) {
    const auto tag = static_cast<uint8_t>(from[0]);
    from.remove_prefix(1);
    return ((tag & 3) == 0 ? Literal(tag) : Copy(tag)) && to.size() <= limit;
  }
};

}  // namespace

absl::StatusOr<std::string> UncompressSnappy(absl::string_view from) {
  uint64_t size = 0;
  if (!TakeVarint(&from, &size)) return DataLoss("compressed data is damaged");
  Decompression work{from};
  while (!work.from.empty()) {
    if (!work.Step(size)) return DataLoss("compressed data is damaged");
  }
  if (work.to.size() != size) return DataLoss("compressed data is cut off");
  return std::move(work.to);
}

}  // namespace sluice
