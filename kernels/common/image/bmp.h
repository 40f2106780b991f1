// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_BMP_H_
#define SLUICE_KERNELS_COMMON_IMAGE_BMP_H_

#include "kernels/common/image/pixels.h"

namespace sluice::kernels {

// Decodes an uncompressed bitmap of 8 (grey: a palette is ignored), 24 or 32 bits a pixel, as 8-bit
// values. `channels` is 0, or the file's number. If `adds_alpha`, it may be 4 for a file of 3.
// INVALID_ARGUMENT if the file is corrupt, too short or too large.
absl::Status DecodeBmp(absl::string_view bytes, int channels, bool adds_alpha,
                       AllocatePixels allocate);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_BMP_H_
