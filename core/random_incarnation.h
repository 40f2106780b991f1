// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RANDOM_INCARNATION_H_
#define SLUICE_CORE_RANDOM_INCARNATION_H_

#include <cstdint>
#include <random>

namespace sluice {

// Distinguishes this life of a task, a device or a group from others of the same name. Not 0.
inline uint64_t RandomIncarnation() {
  std::random_device random;
  return (static_cast<uint64_t>(random()) << 32 | random()) | 1;
}

}  // namespace sluice

#endif  // SLUICE_CORE_RANDOM_INCARNATION_H_
