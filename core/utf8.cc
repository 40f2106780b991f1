// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.h"

#include <cstdint>

#include "absl/strings/str_cat.h"

namespace sluice {
namespace {

// The length of the character at the beginning of `text`; 0 if it is invalid (Unicode 15, table
// 3-7: no surrogates, no overlong forms, nothing above 10FFFF).
size_t CharacterAt(absl::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  uint8_t low = 0x80, high = 0xBF;  // range of the second byte
  if (first == 0xE0) low = 0xA0;
  if (first == 0xED) high = 0x9F;
  if (first == 0xF0) low = 0x90;
  if (first == 0xF4) high = 0x8F;
  if (byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  return length;
}

}  // namespace

std::string AsUtf8(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = CharacterAt(text);
    if (length == 0) {
      absl::StrAppend(&out, "\\x", absl::Hex(static_cast<uint8_t>(text.front()), absl::kZeroPad2));
      text.remove_prefix(1);
      continue;
    }
    absl::StrAppend(&out, text.substr(0, length));
    text.remove_prefix(length);
  }
  return out;
}

}  // namespace sluice
