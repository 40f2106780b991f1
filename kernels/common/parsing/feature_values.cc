// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/parsing/feature_values.h"

namespace sluice::kernels {

int64_t ReadPackedInts(absl::string_view packed, int64_t* to, int64_t room) {
  size_t last_bytes = 0;  // bytes that end a varint
  for (const char c : packed) last_bytes += static_cast<int8_t>(c) >= 0 ? 1 : 0;
  if (last_bytes == packed.size()) {  // each value has one byte
    const auto n = static_cast<int64_t>(packed.size());
    for (int64_t i = 0; i < std::min(n, room); ++i) to[i] = static_cast<uint8_t>(packed[i]);
    return n;
  }
  WireReader in(packed);
  int64_t n = 0;
  for (uint64_t value = 0; !in.AtEnd(); ++n) {
    if (!in.Varint(&value)) return -1;
    if (n < room) to[n] = static_cast<int64_t>(value);
  }
  return n;
}

}  // namespace sluice::kernels
