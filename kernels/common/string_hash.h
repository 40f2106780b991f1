// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_STRING_HASH_H_
#define SLUICE_KERNELS_COMMON_STRING_HASH_H_

#include <cstdint>

#include "absl/strings/string_view.h"

// Hashes whose values are part of an op's definition: the same on every machine and in TensorFlow.

namespace sluice::kernels {

// Austin Appleby's MurmurHash64A with TensorFlow's seed: StringToHashBucket.
uint64_t MurmurHash64(absl::string_view s);
// FarmHash's Fingerprint64 (Geoff Pike): StringToHashBucketFast.
uint64_t FarmFingerprint64(absl::string_view s);
// FarmHash's Fingerprint128, which is CityHash128 (Geoff Pike, Jyrki Alakuijala): SdcaFprint.
struct Fingerprint128 {
  uint64_t low, high;
};
Fingerprint128 FarmFingerprint128(absl::string_view s);
// SipHash-2-4 (Aumasson, Bernstein): StringToHashBucketStrong.
uint64_t SipHash24(const uint64_t key[2], absl::string_view s);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_STRING_HASH_H_
