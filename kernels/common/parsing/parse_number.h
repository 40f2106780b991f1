// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_PARSE_NUMBER_H_
#define SLUICE_KERNELS_COMMON_PARSING_PARSE_NUMBER_H_

#include <type_traits>

#include "absl/strings/ascii.h"
#include "absl/strings/charconv.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace sluice::kernels {

// A floating-point number in hexadecimal, as "-0x1.8p3".
inline bool ParseHex(absl::string_view text, double* value) {
  text = absl::StripAsciiWhitespace(text);
  const bool negative = absl::ConsumePrefix(&text, "-");
  if (!negative) absl::ConsumePrefix(&text, "+");
  if (!absl::StartsWithIgnoreCase(text, "0x")) return false;
  const char* end = text.data() + text.size();
  const auto result = absl::from_chars(text.data() + 2, end, *value, absl::chars_format::hex);
  if (negative) *value = -*value;
  return result.ec == std::errc() && result.ptr == end;
}

// A number as text, with white space around it. Returns false if it is none or does not fit T.
// With as_in_1x, no integer begins with "+".
template <typename T>
bool ParseNumber(absl::string_view text, T* value, bool as_in_1x = false) {
  if constexpr (std::is_integral_v<T>) {
    if (as_in_1x && absl::StartsWith(absl::StripLeadingAsciiWhitespace(text), "+")) return false;
    return absl::SimpleAtoi(text, value);
  } else {
    double hex;
    if constexpr (std::is_same_v<T, float>) {
      if (absl::SimpleAtof(text, value)) return true;
    } else {
      if (absl::SimpleAtod(text, value)) return true;
    }
    if (!ParseHex(text, &hex)) return false;
    *value = static_cast<T>(hex);
    return true;
  }
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_PARSE_NUMBER_H_
