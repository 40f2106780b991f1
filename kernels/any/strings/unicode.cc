// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/strings/unicode.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_err.h>

#include <algorithm>
#include <memory>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "core/status.h"
#include "core/threads/cancel_scope.h"

namespace sluice::kernels {
namespace {

// reads the first character of a text, which is not empty
using Reader = Character (*)(absl::string_view);

// Ill-formed bytes end before the first byte that cannot continue a character.
Character ReadUtf8(absl::string_view text) {
  const auto first = static_cast<uint8_t>(text[0]);
  if (first < 0x80) return {first, 1, false};
  if (first < 0xC2 || first > 0xF4) return {};
  const size_t more = first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
  // The range of the second byte excludes overlong forms, surrogates and values that are too large.
  uint8_t least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  uint8_t most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  int32_t point = first & (0x3F >> more);
  for (size_t i = 1; i <= more; ++i) {
    const auto byte = static_cast<uint8_t>(i < text.size() ? text[i] : 0);
    if (byte < least || byte > most) return {.size = i};
    point = point << 6 | (byte & 0x3F);
    least = 0x80;
    most = 0xBF;
  }
  return {point, more + 1, false};
}

template <size_t kBytes, bool kBig>
uint32_t Unit(absl::string_view text) {
  uint32_t unit = 0;
  for (size_t i = 0; i < kBytes; ++i) {
    unit = unit << 8 | static_cast<uint8_t>(text[kBig ? i : kBytes - 1 - i]);
  }
  return unit;
}

template <bool kBig>
Character ReadUtf16(absl::string_view text) {
  if (text.size() < 2) return {.size = text.size()};
  const auto unit = static_cast<int32_t>(Unit<2, kBig>(text));
  if (!IsSurrogate(unit)) return {unit, 2, false};
  if (unit >= 0xDC00) return {.size = 2};
  if (text.size() < 4) return {.size = text.size()};
  const auto second = static_cast<int32_t>(Unit<2, kBig>(text.substr(2)));
  if (second < 0xDC00 || second > 0xDFFF) return {.size = 2};
  return {0x10000 + ((unit & 0x3FF) << 10 | (second & 0x3FF)), 4, false};
}

template <bool kBig>
Character ReadUtf32(absl::string_view text) {
  if (text.size() < 4) return {.size = text.size()};
  const uint32_t unit = Unit<4, kBig>(text);
  if (unit > kLastCodePoint || IsSurrogate(static_cast<int32_t>(unit))) return {.size = 4};
  return {static_cast<int32_t>(unit), 4, false};
}

// A byte order mark, and the reader of the bytes after it.
struct Mark {
  absl::string_view bytes;
  Reader reader;
};

struct Known {
  absl::string_view name;  // without hyphens
  Reader reader;           // for a text without a mark
  Mark marks[2];
};

constexpr Known kKnown[] = {
    {"UTF8", ReadUtf8, {}},
    {"UTF16", ReadUtf16<true>, {{"\xfe\xff", ReadUtf16<true>}, {"\xff\xfe", ReadUtf16<false>}}},
    {"UTF16BE", ReadUtf16<true>, {}},
    {"UTF16LE", ReadUtf16<false>, {}},
    {"UTF32",
     ReadUtf32<true>,
     {{{"\0\0\xfe\xff", 4}, ReadUtf32<true>}, {{"\xff\xfe\0\0", 4}, ReadUtf32<false>}}},
    {"UTF32BE", ReadUtf32<true>, {}},
    {"UTF32LE", ReadUtf32<false>, {}},
};

void Decode(const Known& known, absl::string_view text,
            absl::FunctionRef<void(const Character&)> each) {
  Reader reader = known.reader;
  size_t at = 0;
  for (const Mark& mark : known.marks) {
    if (at == 0 && !mark.bytes.empty() && absl::StartsWith(text, mark.bytes)) {
      reader = mark.reader;
      at = mark.bytes.size();
    }
  }
  CancelPoints points(1 << 16);
  for (size_t mark = at; at < text.size(); mark = 0) {
    points.Pass();
    Character found = reader(text.substr(at));
    at += found.size;
    found.size += mark;
    each(found);
  }
}

// Called for invalid bytes: records them in `context`, a bool, and lets ICU continue.
void NoteBad(const void* context, UConverterToUnicodeArgs* args, const char* bytes, int32_t size,
             UConverterCallbackReason reason, UErrorCode* error) {
  if (reason == UCNV_UNASSIGNED || reason == UCNV_ILLEGAL || reason == UCNV_IRREGULAR)
    *static_cast<bool*>(const_cast<void*>(context)) = true;
  UCNV_TO_U_CALLBACK_SUBSTITUTE(nullptr, args, bytes, size, reason, error);
}

// Uses ICU, as TensorFlow does: its tables and the C library's differ, so texts would differ too.
absl::Status DecodeOther(const std::string& encoding, absl::string_view text,
                         absl::FunctionRef<void(const Character&)> each) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, void (*)(UConverter*)> converter(
      ucnv_open(encoding.c_str(), &error), ucnv_close);
  bool bad = false;
  if (U_SUCCESS(error)) {
    ucnv_setToUCallBack(converter.get(), NoteBad, &bad, /*oldAction=*/nullptr,
                        /*oldContext=*/nullptr, &error);
  }
  if (encoding.empty() || U_FAILURE(error))
    return InvalidArgument("Could not create converter for input encoding: ", encoding);
  const char* at = text.data();
  const char* const end = at + text.size();
  CancelPoints points(1 << 14);
  while (at < end) {
    points.Pass();
    const char* const begin = at;
    bad = false;
    // An incomplete end is an error, and the point 0xFFFF, which TensorFlow passes on.
    const int32_t point = ucnv_getNextUChar(converter.get(), &at, end, &error);
    if (U_FAILURE(error)) at = end;
    each({point, static_cast<size_t>(at - begin), bad});
  }
  return absl::OkStatus();
}

void AppendUnit(uint32_t unit, int bytes, std::string* out) {
  while (bytes > 0) out->push_back(static_cast<char>(unit >> 8 * --bytes));
}

}  // namespace

absl::Status DecodeText(absl::string_view encoding, absl::string_view text,
                        absl::FunctionRef<void(const Character&)> each) {
  std::string name = absl::AsciiStrToUpper(encoding);
  std::erase_if(name, [](char c) { return c == '-' || c == '_'; });
  for (const Known& known : kKnown) {
    if (known.name != name) continue;
    Decode(known, text, each);
    return absl::OkStatus();
  }
  return DecodeOther(std::string(encoding), text, each);
}

void AppendEncoded(Encoding encoding, int32_t point, std::string* out) {
  const auto bits = static_cast<uint32_t>(point);
  if (encoding == Encoding::kUtf32BE) return AppendUnit(bits, 4, out);
  if (encoding == Encoding::kUtf16BE) {
    if (bits < 0x10000) return AppendUnit(bits, 2, out);
    AppendUnit(0xD800 | (bits - 0x10000) >> 10, 2, out);
    return AppendUnit(0xDC00 | (bits & 0x3FF), 2, out);
  }
  if (IsSurrogate(point)) return AppendEncoded(encoding, kReplacement, out);
  if (bits < 0x80) return AppendUnit(bits, 1, out);
  constexpr uint32_t kLead[] = {0xC0, 0xE0, 0xF0};
  const int more = bits < 0x800 ? 1 : bits < 0x10000 ? 2 : 3;
  AppendUnit(kLead[more - 1] | bits >> 6 * more, 1, out);
  for (int i = more - 1; i >= 0; --i) AppendUnit(0x80 | (bits >> 6 * i & 0x3F), 1, out);
}

}  // namespace sluice::kernels
