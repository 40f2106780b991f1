// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_IMAGE_PIXELS_H_
#define SLUICE_KERNELS_COMMON_IMAGE_PIXELS_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice::kernels {

// The size of a decoded image. Values lie row by row, the channels of a pixel together.
struct ImageSize {
  int64_t frames = 1;
  int64_t height = 0, width = 0, channels = 0;

  int64_t row() const { return width * channels; }
  int64_t frame() const { return height * row(); }
};

// Memory for the values of an image, which a decoder asks for once, after it has checked the size.
using AllocatePixels = absl::FunctionRef<absl::StatusOr<void*>(const ImageSize&)>;

// An image has fewer values, as in TensorFlow. A file of a few bytes can claim any size.
inline constexpr int64_t kMaxImageValues = int64_t{1} << 29;

// True if an image of this size may be allocated. REQUIRES: each number is below 2^32.
inline bool FitsImage(int64_t height, int64_t width, int64_t channels) {
  return height > 0 && width > 0 && height < kMaxImageValues && width < kMaxImageValues &&
         height * width < kMaxImageValues && height * width * channels < kMaxImageValues;
}

enum class ImageFormat { kUnknown, kJpeg, kPng, kGif, kBmp };

// The format that the first bytes of a file name.
inline ImageFormat FormatOf(absl::string_view bytes) {
  const auto starts = [bytes](absl::string_view magic) {
    return bytes.substr(0, magic.size()) == magic;
  };
  return starts("\xff\xd8\xff")        ? ImageFormat::kJpeg
         : starts("\x89PNG\r\n\x1a\n") ? ImageFormat::kPng
         : starts("GIF8")              ? ImageFormat::kGif
         : starts("BM")                ? ImageFormat::kBmp
                                       : ImageFormat::kUnknown;
}

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_IMAGE_PIXELS_H_
