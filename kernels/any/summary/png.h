// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_SUMMARY_PNG_H_
#define SLUICE_KERNELS_ANY_SUMMARY_PNG_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "core/status.h"

namespace sluice::kernels {

// A PNG file of 8-bit pixels, row by row: 1 channel is grey, 3 RGB, 4 RGBA.
// REQUIRES: pixels.size() == width * height * channels.
absl::StatusOr<std::string> EncodePng(absl::Span<const uint8_t> pixels, int width, int height,
                                      int channels);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_SUMMARY_PNG_H_
