// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_JPEG_H_
#define SLUICE_KERNELS_COMMON_IMAGE_JPEG_H_

#include <optional>
#include <string>

#include "kernels/common/image/pixels.h"

namespace sluice::kernels {

struct CropWindow {
  int64_t y, x, height, width;
};

struct JpegDecoding {
  int channels = 0;  // 1 grey, 3 RGB, 0: as in the file
  int ratio = 1;     // 1, 2, 4 or 8: decodes an image whose sides are divided by this number
  bool fancy_upscaling = true;
  bool accurate = false;  // the exact inverse transform; TensorFlow's default is the fast one
  // Treats a truncated file as if it ended there: the rest is grey.
  bool recover_truncated = false;
  // The share of rows that a truncated file must have. Other rows become black.
  float acceptable_fraction = 1;
  std::optional<CropWindow> crop;  // of the scaled image
};

// Decodes 8-bit values. INVALID_ARGUMENT if the file is corrupt or too large, or if the window is
// not inside the image.
absl::Status DecodeJpeg(absl::string_view bytes, const JpegDecoding& how, AllocatePixels allocate);

// The size that the file's header states, without decoding.
absl::StatusOr<ImageSize> ReadJpegSize(absl::string_view bytes);

struct JpegEncoding {
  int quality = 95;  // 0 to 100
  bool progressive = false;
  bool optimize_size = false;
  bool chroma_downsampling = true;
  bool density_in_cm = false;  // else in inches
  int x_density = 300, y_density = 300;
  std::string xmp_metadata;
};

// Encodes 8-bit values of 1 or 3 channels. INTERNAL if the image or the metadata is empty or too
// large for the format.
absl::StatusOr<std::string> EncodeJpeg(const uint8_t* pixels, const ImageSize& size,
                                       const JpegEncoding& how);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_JPEG_H_
