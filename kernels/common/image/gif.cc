// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/image/gif.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <vector>

#include <gif_lib.h>

namespace sluice::kernels {
namespace {

// Values of all frames together.
constexpr int64_t kMaxFrameValues = int64_t{1} << 31;

class GifReader {
 public:
  explicit GifReader(absl::string_view bytes) : size_(bytes.size()), rest_(bytes) {
    gif_ = DGifOpen(this, &Read, &open_error_);
  }
  ~GifReader() {
    if (gif_ != nullptr) DGifCloseFile(gif_, nullptr);
  }
  GifReader(const GifReader&) = delete;
  GifReader& operator=(const GifReader&) = delete;

  // Goes to the next frame, whose description is frame(). False at the end of the file.
  absl::StatusOr<bool> NextFrame();
  absl::Status SkipFrame();
  // Draws the frame on an image of `canvas`' height and width.
  absl::Status DrawFrame(const ImageSize& canvas, uint8_t* to);
  const GifImageDesc& frame() const { return gif_->Image; }

 private:
  static int Read(GifFileType* gif, GifByteType* to, int count) {
    absl::string_view& rest = static_cast<GifReader*>(gif->UserData)->rest_;
    const size_t n = std::min(rest.size(), static_cast<size_t>(std::max(count, 0)));
    std::memcpy(to, rest.data(), n);
    rest.remove_prefix(n);
    return static_cast<int>(n);
  }

  absl::Status ReadExtension();
  template <typename... Args>
  absl::Status Error(const Args&... args) const {
    return InvalidArgument("Invalid GIF data (size ", size_, "), ", args...);
  }
  absl::Status Failed(absl::string_view what) const {
    const char* reason = GifErrorString(gif_ == nullptr ? open_error_ : gif_->Error);
    return Error(what, ": ", absl::string_view(reason == nullptr ? "corrupt data" : reason));
  }

  const size_t size_;
  absl::string_view rest_;
  int open_error_ = 0;
  GifFileType* gif_;
  int64_t index_ = -1;        // of the frame
  bool has_control_ = false;  // the frame follows a control block
  int transparent_ = NO_TRANSPARENT_COLOR;
};

absl::StatusOr<bool> GifReader::NextFrame() {
  constexpr absl::string_view kFailed = "failed to slurp gif file";
  if (gif_ == nullptr) return Failed("failed to open gif file");
  ++index_;
  has_control_ = false;
  transparent_ = NO_TRANSPARENT_COLOR;
  for (;;) {
    GifRecordType type;
    if (DGifGetRecordType(gif_, &type) == GIF_ERROR) return Failed(kFailed);
    if (type == TERMINATE_RECORD_TYPE) return false;
    if (type == EXTENSION_RECORD_TYPE) {
      SLUICE_RETURN_IF_ERROR(ReadExtension());
    } else if (type == IMAGE_DESC_RECORD_TYPE) {
      // Unlike DGifGetImageDesc, this does not keep the frame.
      if (DGifGetImageHeader(gif_) == GIF_ERROR) return Failed(kFailed);
      if (frame().Width <= 0 || frame().Height <= 0) return Failed(kFailed);
      return true;
    }
  }
}

// The first control block before a frame counts.
absl::Status GifReader::ReadExtension() {
  int code;
  GifByteType* block;
  if (DGifGetExtension(gif_, &code, &block) == GIF_ERROR) return Failed("failed to slurp gif file");
  while (block != nullptr) {
    GraphicsControlBlock control;
    if (code == GRAPHICS_EXT_FUNC_CODE && !has_control_ &&
        DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK) {
      has_control_ = true;
      transparent_ = control.TransparentColor;
    }
    if (DGifGetExtensionNext(gif_, &block) == GIF_ERROR) return Failed("failed to slurp gif file");
    code = CONTINUE_EXT_FUNC_CODE;
  }
  return absl::OkStatus();
}

// A frame whose codes cannot give its pixels is refused here, before memory is taken for it.
absl::Status GifReader::SkipFrame() {
  constexpr int64_t kMostOfCode = 4096;  // pixels: a code gives one more than a code before it
  int code_size;
  GifByteType* block;
  int64_t size = 0;
  if (DGifGetCode(gif_, &code_size, &block) == GIF_ERROR) return Failed("failed to slurp gif file");
  while (block != nullptr) {
    size += block[0];
    if (DGifGetCodeNext(gif_, &block) == GIF_ERROR) return Failed("failed to slurp gif file");
  }
  const int64_t codes = size * CHAR_BIT / (code_size + 1) + 1;
  if (int64_t{frame().Width} * frame().Height > codes * std::min(codes, kMostOfCode))
    return Error("failed to slurp gif file: ", GifErrorString(D_GIF_ERR_EOF_TOO_SOON));
  return absl::OkStatus();
}

absl::Status GifReader::DrawFrame(const ImageSize& canvas, uint8_t* to) {
  struct Rows {
    int first, step;
  };
  static constexpr Rows kInterlaced[] = {{0, 8}, {4, 8}, {2, 4}, {1, 2}}, kPlain[] = {{0, 1}};
  const GifImageDesc& image = frame();
  const ColorMapObject* colours = image.ColorMap != nullptr ? image.ColorMap : gif_->SColorMap;
  if (colours == nullptr) return Error("missing color map for frame ", index_);
  std::vector<GifPixelType> row(static_cast<size_t>(image.Width));
  const int64_t columns = std::min<int64_t>(image.Width, canvas.width - image.Left);
  for (const Rows& rows :
       image.Interlace ? absl::Span<const Rows>(kInterlaced) : absl::Span<const Rows>(kPlain)) {
    for (int y = rows.first; y < image.Height; y += rows.step) {
      if (DGifGetLine(gif_, row.data(), image.Width) == GIF_ERROR) {
        return Failed("failed to slurp gif file");
      }
      if (image.Top + y >= canvas.height) continue;
      uint8_t* pixel = to + (image.Top + y) * canvas.row() + image.Left * canvas.channels;
      for (int64_t x = 0; x < columns; ++x, pixel += canvas.channels) {
        const int index = row[x];
        if (index == transparent_) continue;
        if (index >= colours->ColorCount) {
          return Error("found color index ", index, " outside of color map range ",
                       colours->ColorCount);
        }
        const GifColorType& colour = colours->Colors[index];
        pixel[0] = colour.Red;
        pixel[1] = colour.Green;
        pixel[2] = colour.Blue;
      }
    }
  }
  return absl::OkStatus();
}

// The number and the size of the frames, which are not decoded.
absl::StatusOr<ImageSize> Measure(absl::string_view bytes) {
  GifReader reader(bytes);
  ImageSize size{0, 0, 0, 3};
  for (;;) {
    SLUICE_ASSIGN(const bool more, reader.NextFrame());
    if (!more) return size;
    ++size.frames;
    size.height = std::max<int64_t>(size.height, reader.frame().Height);
    size.width = std::max<int64_t>(size.width, reader.frame().Width);
    SLUICE_RETURN_IF_ERROR(reader.SkipFrame());
  }
}

}  // namespace

absl::Status DecodeGif(absl::string_view bytes, bool all_frames, AllocatePixels allocate) {
  SLUICE_ASSIGN(ImageSize size, Measure(bytes));
  if (size.frames == 0) {
    return InvalidArgument("Invalid GIF data (size ", bytes.size(),
                           "), gif file does not contain any image");
  }
  if (!all_frames) size.frames = 1;
  if (!FitsImage(size.height, size.width, size.channels) ||
      size.frames > kMaxFrameValues / size.frame()) {
    return InvalidArgument("GIF size too large: ", size.frames, " frames of ", size.width, " by ",
                           size.height);
  }
  SLUICE_ASSIGN(void* const memory, allocate(size));
  auto* to = static_cast<uint8_t*>(memory);
  std::fill_n(to, size.frame(), uint8_t{0});
  GifReader reader(bytes);
  for (int64_t i = 0; i < size.frames; ++i, to += size.frame()) {
    if (i > 0) std::copy_n(to - size.frame(), size.frame(), to);
    SLUICE_ASSIGN(const bool more, reader.NextFrame());
    if (!more) return Internal("GIF data with fewer frames than before");
    SLUICE_RETURN_IF_ERROR(reader.DrawFrame(size, to));
  }
  return absl::OkStatus();
}

}  // namespace sluice::kernels
