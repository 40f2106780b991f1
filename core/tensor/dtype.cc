// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/dtype.h"

#include <array>
#include <utility>

#include "absl/strings/strip.h"

namespace sluice {
namespace {

struct Row {
  absl::string_view name;
  size_t size;
};

// By number.
constexpr std::array<Row, 24> kRows = {{
    {"invalid", 0},  {"float", 4},   {"double", 8}, {"int32", 4},       {"uint8", 1},
    {"int16", 2},    {"int8", 1},    {"string", 0}, {"complex64", 8},   {"int64", 8},
    {"bool", 1},     {"qint8", 1},   {"quint8", 1}, {"qint32", 4},      {"bfloat16", 2},
    {"qint16", 2},   {"quint16", 2}, {"uint16", 2}, {"complex128", 16}, {"half", 2},
    {"resource", 0}, {"variant", 0}, {"uint32", 4}, {"uint64", 8},
}};

}  // namespace

std::string Name(DType t) {
  const DType base = RemoveRef(t);
  if (!IsKnown(base)) {
    return t == kInvalid ? "invalid" : absl::StrCat("dtype ", static_cast<int>(t));
  }
  return absl::StrCat(kRows[static_cast<size_t>(base)].name, IsRef(t) ? "_ref" : "");
}

DType ParseDType(absl::string_view name) {
  const bool ref = absl::ConsumeSuffix(&name, "_ref");
  constexpr std::pair<absl::string_view, DType> kSpellings[] = {
      {"float32", kFloat}, {"float64", kDouble}, {"float16", kHalf}};
  DType found = kInvalid;
  for (size_t i = 1; i < kRows.size(); ++i) {
    if (name == kRows[i].name) found = static_cast<DType>(i);
  }
  for (const auto& [spelling, dtype] : kSpellings) {
    if (name == spelling) found = dtype;
  }
  return ref && found != kInvalid ? MakeRef(found) : found;
}

size_t SizeOf(DType t) { return IsKnown(t) ? kRows[static_cast<size_t>(t)].size : 0; }

std::string DTypeSet::ToString() const {
  std::string text = "{";
  for (int i = 1; i < static_cast<int>(kRows.size()); ++i) {
    if (!contains(static_cast<DType>(i))) continue;
    absl::StrAppend(&text, text.size() > 1 ? ", " : "", kRows[i].name);
  }
  return text + "}";
}

}  // namespace sluice
