// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/image/png.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>

#include "core/threads/cancel_scope.h"

#include <png.h>

namespace sluice::kernels {
namespace {

// Deflate makes at most 1032 bytes of one.
constexpr int64_t kMaxExpansion = 1040;

// The errors of one libpng object. libpng reports an error by a call that must not return, so calls
// run inside Try.
class PngErrors {
 public:
  // Runs `body`, and returns false if libpng reports an error. An error leaves `body` by longjmp.
  // REQUIRES: no object that `body` makes has a destructor.
  template <typename Body>
  bool Try(const Body& body) {
    if (setjmp(jump_) != 0) return false;
    body();
    return true;
  }
  const char* text() const { return text_; }

  [[noreturn]] static void Exit(png_structp png, png_const_charp text) {
    auto* const self = static_cast<PngErrors*>(png_get_error_ptr(png));
    std::strncpy(self->text_, text, sizeof(self->text_) - 1);
    longjmp(self->jump_, 1);
  }
  static void Ignore(png_structp, png_const_charp) {}

 private:
  jmp_buf jump_;
  char text_[128] = "";
};

class PngReader {
 public:
  explicit PngReader(absl::string_view bytes) : file_(bytes), rest_(bytes) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &errors_, &PngErrors::Exit,
                                  &PngErrors::Ignore);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  // Reads up to the pixels, and asks libpng for the conversions.
  bool ReadHeader(int channels, int bits) {
    return info_ != nullptr && errors_.Try([&] {
      png_set_read_fn(png_, this, &Read);
      png_read_info(png_, info_);
      Convert(channels, bits);
      png_read_update_info(png_, info_);
    });
  }
  ImageSize size() const {
    return {1, png_get_image_height(png_, info_), png_get_image_width(png_, info_), channels_};
  }
  // The file is long enough for its pixels, if it compresses them as well as it can.
  bool Plausible() const {
    const ImageSize size = this->size();
    return size.height * (stored_row_ + 1) / kMaxExpansion <= static_cast<int64_t>(file_.size());
  }

  bool ReadPixels(void* memory, int bits) {
    const ImageSize size = this->size();
    const int64_t count = size.frame(), row = size.row() * (widens_ ? 1 : bits / 8);
    if (png_get_rowbytes(png_, info_) != static_cast<size_t>(row)) return false;
    // Values that become wider are decoded to the end of the memory, and then spread.
    auto* const first = static_cast<uint8_t*>(memory) + (widens_ ? count : 0);
    if (!errors_.Try([&] {
          for (int pass = 0; pass < passes_; ++pass) {
            for (int64_t y = 0; y < size.height; ++y) {
              ThrowIfCancelled();
              png_read_row(png_, first + y * row, nullptr);
            }
          }
          png_read_end(png_, info_);
        })) {
      return false;
    }
    if (widens_) {
      auto* const wide = static_cast<uint16_t*>(memory);
      for (int64_t i = 0; i < count; ++i) wide[i] = static_cast<uint16_t>(first[i] * 257);
    }
    return true;
  }

  absl::Status Error(absl::string_view what) const {
    const absl::string_view reason = errors_.text();
    return InvalidArgument(what, file_.size(), reason.empty() ? "" : ": ", reason);
  }

 private:
  static void Read(png_structp png, png_bytep to, size_t count) {
    auto* const self = static_cast<PngReader*>(png_get_io_ptr(png));
    if (self->rest_.size() < count) png_error(png, "the file is truncated");
    std::memcpy(to, self->rest_.data(), count);
    self->rest_.remove_prefix(count);
  }

  // As TensorFlow converts: it weighs red with 0.299 and green with 0.587.
  void Convert(int channels, int bits) {
    const int type = png_get_color_type(png_, info_), depth = png_get_bit_depth(png_, info_);
    const bool transparent = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
    const bool palette = type == PNG_COLOR_TYPE_PALETTE;
    const bool alpha = (type & PNG_COLOR_MASK_ALPHA) != 0;
    const bool grey = (type & PNG_COLOR_MASK_COLOR) == 0;
    stored_row_ = static_cast<int64_t>(png_get_rowbytes(png_, info_));
    const int own = palette ? (transparent ? 4 : 3) : png_get_channels(png_, info_);
    channels_ = channels == 0 ? own : channels;
    if (channels_ % 2 == 0) {
      if (!alpha && transparent) {
        png_set_tRNS_to_alpha(png_);
      } else if (!alpha) {
        png_set_add_alpha(png_, (1U << depth) - 1, PNG_FILLER_AFTER);
      }
    } else if (alpha || transparent) {
      png_set_strip_alpha(png_);
    }
    if (depth > 8 && bits == 8) png_set_strip_16(png_);
    widens_ = depth <= 8 && bits == 16;
    png_set_packing(png_);
    passes_ = png_set_interlace_handling(png_);
    if (bits == 16) png_set_swap(png_);
    if (palette) png_set_palette_to_rgb(png_);
    if (grey && depth < 8) png_set_expand_gray_1_2_4_to_8(png_);
    if (channels_ < 3 && !grey) {
      png_set_rgb_to_gray(png_, 1, 0.299, 0.587);
    } else if (channels_ >= 3 && grey) {
      png_set_gray_to_rgb(png_);
    }
  }

  const absl::string_view file_;
  absl::string_view rest_;
  PngErrors errors_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  int64_t channels_ = 0;
  int64_t stored_row_ = 0;  // bytes of a row before conversion
  int passes_ = 1;
  bool widens_ = false;
};

class PngWriter {
 public:
  PngWriter() {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &errors_, &PngErrors::Exit,
                                   &PngErrors::Ignore);
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  bool Write(const void* pixels, const ImageSize& size, int bits, int compression) {
    constexpr int kTypes[] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                              PNG_COLOR_TYPE_RGBA};
    return info_ != nullptr && errors_.Try([&] {
      png_set_write_fn(png_, this, &Append, [](png_structp) {});
      if (compression >= 0) png_set_compression_level(png_, compression);
      png_set_IHDR(png_, info_, static_cast<png_uint_32>(size.width),
                   static_cast<png_uint_32>(size.height), bits, kTypes[size.channels - 1],
                   PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(png_, info_);
      if (bits == 16) png_set_swap(png_);
      const auto* row = static_cast<const uint8_t*>(pixels);
      for (int64_t y = 0; y < size.height; ++y, row += size.row() * (bits / 8)) {
        ThrowIfCancelled();
        png_write_row(png_, row);
      }
      png_write_end(png_, nullptr);
    });
  }
  std::string TakeBytes() { return std::move(bytes_); }
  const char* error() const { return errors_.text(); }

 private:
  static void Append(png_structp png, png_bytep from, size_t count) {
    static_cast<PngWriter*>(png_get_io_ptr(png))
        ->bytes_.append(reinterpret_cast<const char*>(from), count);
  }

  PngErrors errors_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string bytes_;
};

}  // namespace

absl::Status DecodePng(absl::string_view bytes, int channels, int bits, AllocatePixels allocate) {
  PngReader reader(bytes);
  if (!reader.ReadHeader(channels, bits)) return reader.Error("Invalid PNG header, data size ");
  const ImageSize size = reader.size();
  if (!FitsImage(size.height, size.width, size.channels)) {
    return InvalidArgument("PNG size too large for int: ", size.width, " by ", size.height);
  }
  if (!reader.Plausible()) return reader.Error("Invalid PNG data, size ");
  SLUICE_ASSIGN(void* const memory, allocate(size));
  return reader.ReadPixels(memory, bits) ? absl::OkStatus()
                                         : reader.Error("Invalid PNG data, size ");
}

absl::StatusOr<std::string> EncodePng(const void* pixels, const ImageSize& size, int bits,
                                      int compression) {
  if (!FitsImage(size.height, size.width, 1)) {
    return Internal("PNG encoding failed: an image of ", size.width, " x ", size.height, " pixels");
  }
  PngWriter writer;
  if (!writer.Write(pixels, size, bits, compression)) {
    return Internal("PNG encoding failed: ", absl::string_view(writer.error()));
  }
  return writer.TakeBytes();
}

}  // namespace sluice::kernels
