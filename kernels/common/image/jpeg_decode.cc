// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <vector>

#include "core/threads/cancel_scope.h"
#include "kernels/common/image/jpeg.h"
#include "kernels/common/image/jpeg_errors.h"

#include <jerror.h>

namespace sluice::kernels {
namespace {

// A progressive file can have any number of scans, each over all pixels. Encoders make about 10.
constexpr int kMaxScans = 500;
// Coefficients of a file with several scans are kept in memory, 2 bytes each.
constexpr int64_t kMaxCoefficients = int64_t{1} << 30;

// Bytes of a file. libjpeg reads them in place.
struct Source {
  jpeg_source_mgr manager;
  bool recover;
  bool ended = false;

  static Source& Of(j_decompress_ptr decoder) { return *reinterpret_cast<Source*>(decoder->src); }

  // The decoder needs more bytes than there are. False stops it at the rows before the one that it
  // was decoding: it counts bytes of that row as unread.
  static boolean Fill(j_decompress_ptr decoder) {
    static constexpr JOCTET kEnd[] = {0xFF, JPEG_EOI};
    Source& self = Of(decoder);
    if (!self.recover && self.manager.bytes_in_buffer > 0) return FALSE;
    if (!self.recover || self.ended) ERREXIT(decoder, JERR_FILE_READ);
    self.ended = true;
    self.manager.next_input_byte = kEnd;
    self.manager.bytes_in_buffer = sizeof(kEnd);
    return TRUE;
  }

  static void Skip(j_decompress_ptr decoder, long count) {  // NOLINT(google-runtime-int): libjpeg's
    Source& self = Of(decoder);
    if (count <= 0) return;
    if (static_cast<size_t>(count) > self.manager.bytes_in_buffer) {
      self.manager.bytes_in_buffer = 0;
      Fill(decoder);
      return;
    }
    self.manager.next_input_byte += count;
    self.manager.bytes_in_buffer -= count;
  }
};

class JpegReader {
 public:
  JpegReader(absl::string_view bytes, bool recover) : bytes_(bytes) {
    std::memset(&decoder_, 0, sizeof(decoder_));
    std::memset(&progress_, 0, sizeof(progress_));
    decoder_.err = errors_.manager();
    decoder_.client_data = &errors_;
    progress_.progress_monitor = [](j_common_ptr object) {
      if (reinterpret_cast<j_decompress_ptr>(object)->input_scan_number > kMaxScans) {
        ERREXIT(object, JERR_BAD_PROGRESSION);
      }
    };
    source_.recover = recover;
    created_ = errors_.Try([this] { jpeg_create_decompress(&decoder_); });
  }
  ~JpegReader() { jpeg_destroy_decompress(&decoder_); }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  bool ReadHeader() {
    source_.manager = {reinterpret_cast<const JOCTET*>(bytes_.data()),
                       bytes_.size(),
                       [](j_decompress_ptr) {},
                       &Source::Fill,
                       &Source::Skip,
                       &jpeg_resync_to_restart,
                       [](j_decompress_ptr) {}};
    bool read = false;
    return created_ && errors_.Try([&] {
      decoder_.src = &source_.manager;
      decoder_.progress = &progress_;
      read = jpeg_read_header(&decoder_, TRUE) == JPEG_HEADER_OK;
      if (read) jpeg_calc_output_dimensions(&decoder_);
    }) && read;
  }

  bool Start(const JpegDecoding& how);
  // REQUIRES: Start has returned true.
  ImageSize size() const {
    return {1, window_.height, window_.width, decoder_.out_color_components == 1 ? 1 : 3};
  }
  bool Prepare();
  // Returns the number of rows read.
  int64_t ReadRows(uint8_t* to);
  bool Finish();

  const jpeg_decompress_struct& decoder() const { return decoder_; }
  absl::Status Error(absl::string_view what) const {
    const absl::string_view reason = errors_.text();
    return InvalidArgument(what, bytes_.size(), reason.empty() ? "" : ": ", reason);
  }

 private:
  // Copies a row that has other columns or colours than the output.
  void CopyRow(uint8_t* to) const;

  const absl::string_view bytes_;
  JpegErrors errors_;
  jpeg_decompress_struct decoder_;
  jpeg_progress_mgr progress_;
  Source source_{};
  bool created_;
  CropWindow window_{};
  bool cropped_ = false;
  int64_t first_column_ = 0;  // of the window in `row_`
  std::vector<uint8_t> row_;  // empty: rows are decoded to their place
};

bool JpegReader::Start(const JpegDecoding& how) {
  bool fits = false;
  if (!errors_.Try([&] {
        const int channels =
            how.channels == 0 ? std::min(decoder_.num_components, 3) : how.channels;
        const bool inks =
            decoder_.jpeg_color_space == JCS_CMYK || decoder_.jpeg_color_space == JCS_YCCK;
        if (channels != 1 && channels != 3) return;
        decoder_.out_color_space = channels == 1 ? JCS_GRAYSCALE : inks ? JCS_CMYK : JCS_RGB;
        decoder_.do_fancy_upsampling = how.fancy_upscaling ? TRUE : FALSE;
        decoder_.scale_num = 1;
        decoder_.scale_denom = how.ratio;
        decoder_.dct_method = how.accurate ? JDCT_ISLOW : JDCT_IFAST;
        jpeg_calc_output_dimensions(&decoder_);
        const int64_t width = decoder_.output_width, height = decoder_.output_height;
        if (!FitsImage(height, width, decoder_.num_components)) return;
        if (jpeg_has_multiple_scans(&decoder_) &&
            int64_t{decoder_.image_width} * decoder_.image_height * decoder_.num_components >=
                kMaxCoefficients) {
          return;
        }
        window_ = how.crop.value_or(CropWindow{0, 0, height, width});
        cropped_ = how.crop.has_value();
        fits = window_.height > 0 && window_.width > 0 && window_.y >= 0 && window_.x >= 0 &&
               window_.y + window_.height <= height && window_.x + window_.width <= width;
      })) {
    return false;
  }
  return fits;
}

bool JpegReader::Prepare() {
  bool started = false;
  if (!errors_.Try([&] {
        started = jpeg_start_decompress(&decoder_) == TRUE;
        if (!started || !cropped_) return;
        // The decoder widens the columns to whole blocks.
        auto first = static_cast<JDIMENSION>(window_.x);
        auto width = static_cast<JDIMENSION>(window_.width);
        jpeg_crop_scanline(&decoder_, &first, &width);
        first_column_ = window_.x - first;
        jpeg_skip_scanlines(&decoder_, static_cast<JDIMENSION>(window_.y));
      }) ||
      !started) {
    return false;
  }
  if (cropped_ || decoder_.out_color_space == JCS_CMYK) {
    row_.resize(static_cast<size_t>(decoder_.output_width) * decoder_.output_components);
  }
  return true;
}

void JpegReader::CopyRow(uint8_t* to) const {
  const uint8_t* from = row_.data() + first_column_ * decoder_.output_components;
  if (decoder_.out_color_space != JCS_CMYK) {
    std::copy_n(from, size().row(), to);
    return;
  }
  // Adobe's files have inverted inks.
  const int flip = decoder_.saw_Adobe_marker ? 0 : 255;
  for (int64_t i = 0; i < window_.width; ++i, from += 4, to += 3) {
    for (int c = 0; c < 3; ++c) {
      to[c] = static_cast<uint8_t>((from[c] ^ flip) * (from[3] ^ flip) / 255);
    }
  }
}

int64_t JpegReader::ReadRows(uint8_t* to) {
  const int64_t stride = size().row();
  int64_t rows = 0;
  while (rows < window_.height) {
    ThrowIfCancelled();
    JDIMENSION got = 0;
    uint8_t* row = row_.empty() ? to : row_.data();
    if (!errors_.Try([&] { got = jpeg_read_scanlines(&decoder_, &row, 1); })) return -1;
    if (got == 0) break;
    if (!row_.empty()) CopyRow(to);
    ++rows;
    to += stride;
  }
  return rows;
}

bool JpegReader::Finish() {
  return errors_.Try([this] {
    const auto end = static_cast<JDIMENSION>(window_.y + window_.height);
    if (end < decoder_.output_height) {
      jpeg_skip_scanlines(&decoder_, decoder_.output_height - end);
    }
    jpeg_finish_decompress(&decoder_);
  });
}

}  // namespace

absl::Status DecodeJpeg(absl::string_view bytes, const JpegDecoding& how, AllocatePixels allocate) {
  constexpr absl::string_view kInvalid = "Invalid JPEG data or crop window, data size ";
  JpegReader reader(bytes, how.recover_truncated);
  if (!reader.ReadHeader() || !reader.Start(how) || !reader.Prepare()) {
    return reader.Error(kInvalid);
  }
  const ImageSize size = reader.size();
  SLUICE_ASSIGN(void* const memory, allocate(size));
  auto* const pixels = static_cast<uint8_t*>(memory);
  const int64_t rows = reader.ReadRows(pixels);
  const float least = std::min(1.0F, how.acceptable_fraction);
  if (rows < 0 || static_cast<float>(rows) / static_cast<float>(size.height) < least) {
    return reader.Error(kInvalid);
  }
  if (rows == size.height) {
    return reader.Finish() ? absl::OkStatus() : reader.Error(kInvalid);
  }
  std::fill_n(pixels + rows * size.row(), (size.height - rows) * size.row(), uint8_t{0});
  return absl::OkStatus();
}

absl::StatusOr<ImageSize> ReadJpegSize(absl::string_view bytes) {
  JpegReader reader(bytes, false);
  if (!reader.ReadHeader()) return reader.Error("Invalid JPEG data, size ");
  const jpeg_decompress_struct& decoder = reader.decoder();
  return ImageSize{1, decoder.output_height, decoder.output_width, decoder.num_components};
}

}  // namespace sluice::kernels
