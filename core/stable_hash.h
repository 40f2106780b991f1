// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_STABLE_HASH_H_
#define SLUICE_CORE_STABLE_HASH_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace sluice {

// FNV-1a: the same in every process, where absl::Hash is salted.
inline uint64_t StableHash(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

}  // namespace sluice

#endif  // SLUICE_CORE_STABLE_HASH_H_
