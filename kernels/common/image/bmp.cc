// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/image/bmp.h"

#include <cstdlib>

namespace sluice::kernels {
namespace {

// An integer of `count` bytes, the low ones first.
uint32_t ReadUnsigned(absl::string_view bytes, size_t at, int count) {
  uint32_t value = 0;
  for (int i = count - 1; i >= 0; --i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
  return value;
}

int64_t ReadSigned(absl::string_view bytes, size_t at) {
  return static_cast<int32_t>(ReadUnsigned(bytes, at, 4));
}

// Blue, green, red and alpha become red, green, blue and alpha.
void ConvertRow(const char* from, int64_t width, int64_t own, int64_t channels, uint8_t* to) {
  for (int64_t x = 0; x < width; ++x, from += own, to += channels) {
    for (int64_t c = 0; c < own; ++c) {
      to[c] = static_cast<uint8_t>(from[own >= 3 && c < 3 ? 2 - c : c]);
    }
    if (channels > own) to[own] = UINT8_MAX;
  }
}

}  // namespace

absl::Status DecodeBmp(absl::string_view bytes, int channels, bool adds_alpha,
                       AllocatePixels allocate) {
  constexpr int64_t kHeader = 32, kMaxBytes = int64_t{1} << 30;
  const auto available = static_cast<int64_t>(bytes.size());
  if (available < kHeader) {
    return InvalidArgument("Incomplete bmp content, requires at least ", kHeader,
                           " bytes to find the header size, width, height, and bpp, got ",
                           available, " bytes");
  }
  const int64_t header = ReadSigned(bytes, 10), width = ReadSigned(bytes, 18);
  const int64_t height = ReadSigned(bytes, 22), own = ReadUnsigned(bytes, 28, 2) / 8;
  const int64_t rows = std::abs(height);
  const bool fits = channels == 0 || channels == own || (adds_alpha && channels == 4 && own == 3);
  if (!fits) {
    return InvalidArgument("channels attribute ", channels,
                           " does not match bits per pixel from file ", own);
  }
  if (own != 1 && own != 3 && own != 4) {
    return InvalidArgument("Number of channels must be 1, 3 or 4, was ", own);
  }
  if (width <= 0) return InvalidArgument("Width must be positive");
  if (height == 0) return InvalidArgument("Height must be nonzero");
  if (header < 0) return InvalidArgument("header size must be nonnegative");
  const int64_t stride = (own * width + 3) / 4 * 4;  // below 2^34
  if (rows > kMaxBytes / stride) {
    return InvalidArgument("Total possible pixel bytes must be less than 2^30");
  }
  // The last row may lack the bytes that fill it up to a multiple of 4.
  const int64_t needed = header + stride * (rows - 1) + own * width;
  if (available < needed) {
    return InvalidArgument("Incomplete bmp content, requires at least ", needed, " bytes, got ",
                           available, " bytes");
  }
  const ImageSize size{1, rows, width, channels == 0 ? own : channels};
  SLUICE_ASSIGN(void* const memory, allocate(size));
  for (int64_t y = 0; y < rows; ++y) {
    const int64_t from = height > 0 ? rows - 1 - y : y;  // a positive height: the last row first
    ConvertRow(bytes.data() + header + from * stride, width, own, size.channels,
               static_cast<uint8_t*>(memory) + y * size.row());
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
