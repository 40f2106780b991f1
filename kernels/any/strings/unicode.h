// SPDX-License-Identifier: Apache-2.0
// Converts text of any encoding to code points, and code points to Unicode's encodings.
#ifndef SLUICE_KERNELS_ANY_STRINGS_UNICODE_H_
#define SLUICE_KERNELS_ANY_STRINGS_UNICODE_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace sluice::kernels {

inline constexpr int32_t kLastCodePoint = 0x10FFFF;
inline constexpr int32_t kReplacement = 0xFFFD;

inline bool IsSurrogate(int32_t point) { return point >= 0xD800 && point <= 0xDFFF; }

// One character of a text, or invalid bytes.
struct Character {
  int32_t point = kReplacement;
  size_t size = 1;  // bytes
  bool bad = true;
};

// Calls `each` with the characters of `text` in order. A byte order mark, or an escape sequence, is
// part of the next character. UTF-8, UTF-16 and UTF-32 are decoded here, other encodings by ICU.
// INVALID_ARGUMENT: an unknown encoding.
absl::Status DecodeText(absl::string_view encoding, absl::string_view text,
                        absl::FunctionRef<void(const Character&)> each);

enum class Encoding { kUtf8, kUtf16BE, kUtf32BE };

// `point` is not above kLastCodePoint. Half of a surrogate pair becomes kReplacement in UTF-8.
void AppendEncoded(Encoding encoding, int32_t point, std::string* out);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_STRINGS_UNICODE_H_
