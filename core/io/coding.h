// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CODING_H_
#define SLUICE_CORE_IO_CODING_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

// Integers in files: little endian, or varints of seven bits per byte.

namespace sluice {

inline void AppendFixed(uint64_t value, size_t bytes, std::string* to) {
  for (size_t i = 0; i < bytes; ++i) to->push_back(static_cast<char>(value >> (8 * i)));
}

inline uint64_t DecodeFixed(absl::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

inline void AppendVarint(uint64_t value, std::string* to) {
  char bytes[10];
  size_t n = 0;
  for (; value >= 0x80; value >>= 7) bytes[n++] = static_cast<char>(value | 0x80);
  bytes[n++] = static_cast<char>(value);
  to->append(bytes, n);
}

// Removes a varint from the front. Returns false if there is none.
inline bool TakeVarint(absl::string_view* from, uint64_t* value) {
  *value = 0;
  for (size_t i = 0; i < 10 && i < from->size(); ++i) {
    const auto byte = static_cast<uint8_t>((*from)[i]);
    if (i == 9 && byte > 1) return false;
    *value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
    if (byte < 0x80) {
      from->remove_prefix(i + 1);
      return true;
    }
  }
  return false;
}

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CODING_H_
