// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_PARSING_FEATURE_VALUES_H_
#define SLUICE_KERNELS_COMMON_PARSING_FEATURE_VALUES_H_

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "core/tensor/dtype.h"
#include "kernels/common/parsing/wire_reader.h"

// The lists of values of a Feature: BytesList, FloatList and Int64List.

namespace sluice::kernels {

// The dtypes of features.
using FeatureTypes = TypeList<std::string, float, int64_t>;

// The dtype of the list that has this field's tag in a Feature; kInvalid if there is none.
constexpr DType FeatureDType(uint8_t tag) {
  switch (tag) {
    case WireReader::Delimited(1):
      return kString;
    case WireReader::Delimited(2):
      return kFloat;
    case WireReader::Delimited(3):
      return kInt64;
    default:
      return kInvalid;
  }
}
constexpr uint8_t FeatureTag(DType dtype) {
  return WireReader::Delimited(dtype == kString ? 1 : dtype == kFloat ? 2 : 3);
}

// Each ReadValues reads the list that is the rest of `in`: stores the first `room` values, and
// returns how many there are, or -1 if the bytes are malformed. Of a packed list, only the first
// part counts, as in TensorFlow.
inline int64_t ReadValues(WireReader& in, std::string* to, int64_t room) {
  int64_t n = 0;
  for (absl::string_view bytes; !in.AtEnd(); ++n) {
    if (!in.Take(WireReader::Delimited(1)) || !in.Bytes(&bytes)) return -1;
    if (n < room) to[n].assign(bytes.data(), bytes.size());
  }
  return n;
}

inline int64_t ReadValues(WireReader& in, float* to, int64_t room) {
  int64_t n = 0;
  if (in.Take(WireReader::Delimited(1))) {
    uint32_t length = 0;  // a rest of less than four bytes is ignored
    if (!in.Varint32(&length) || length / sizeof(float) > in.left() / sizeof(float)) return -1;
    n = static_cast<int64_t>(length / sizeof(float));
    const auto stored = static_cast<size_t>(std::min(n, room));
    if (stored > 0) std::memcpy(to, in.at(), stored * sizeof(float));
    return n;
  }
  for (uint32_t bits = 0; !in.AtEnd(); ++n) {
    if (!in.Take(WireReader::Fixed32(1)) || !in.Fixed32(&bits)) return -1;
    if (n < room) std::memcpy(to + n, &bits, sizeof bits);
  }
  return n;
}

int64_t ReadPackedInts(absl::string_view packed, int64_t* to, int64_t room);

inline int64_t ReadValues(WireReader& in, int64_t* to, int64_t room) {
  if (in.Take(WireReader::Delimited(1))) {
    const char* outer = nullptr;
    if (!in.Enter(&outer)) return -1;
    const int64_t n = ReadPackedInts(in.rest(), to, room);
    in.SkipRest();
    in.Leave(outer);
    return n;
  }
  int64_t n = 0;
  for (uint64_t value = 0; !in.AtEnd(); ++n) {
    if (!in.Take(WireReader::Varints(1)) || !in.Varint(&value)) return -1;
    if (n < room) to[n] = static_cast<int64_t>(value);
  }
  return n;
}

// The same for a list with its length before it.
template <typename T>
int64_t ReadList(absl::string_view bytes, T* to, int64_t room) {
  WireReader in(bytes);
  const char* outer = nullptr;
  return in.Enter(&outer) ? ReadValues(in, to, room) : -1;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_PARSING_FEATURE_VALUES_H_
