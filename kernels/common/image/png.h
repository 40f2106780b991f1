// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_PNG_H_
#define SLUICE_KERNELS_COMMON_IMAGE_PNG_H_

#include <string>

#include "kernels/common/image/pixels.h"

namespace sluice::kernels {

// Decodes to 1 (grey), 2 (grey and alpha), 3 (RGB) or 4 (RGBA) channels, or 0: as in the file.
// Values have 8 or 16 bits; 16-bit values have the byte order of this machine. INVALID_ARGUMENT if
// the file is corrupt or too large.
absl::Status DecodePng(absl::string_view bytes, int channels, int bits, AllocatePixels allocate);

// Encodes values of 8 or 16 bits, in the byte order of this machine, with 1 to 4 channels. The
// compression is a level of zlib, or -1 for its default. INTERNAL if there are no pixels or too
// many.
absl::StatusOr<std::string> EncodePng(const void* pixels, const ImageSize& size, int bits,
                                      int compression = -1);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_PNG_H_
