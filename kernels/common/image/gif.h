// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_GIF_H_
#define SLUICE_KERNELS_COMMON_IMAGE_GIF_H_

#include "kernels/common/image/pixels.h"

namespace sluice::kernels {

// Decodes frames as 8-bit RGB: all of them, or the first. The height and width are those of the
// largest frame. A frame keeps the pixels of the one before where it is transparent or smaller.
// INVALID_ARGUMENT if the file is corrupt or too large.
absl::Status DecodeGif(absl::string_view bytes, bool all_frames, AllocatePixels allocate);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_GIF_H_
