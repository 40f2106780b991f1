// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "core/threads/cancel_scope.h"
#include "kernels/common/image/jpeg.h"
#include "kernels/common/image/jpeg_errors.h"

#include <jerror.h>

namespace sluice::kernels {
namespace {

// The XMP specification's name of its marker, with the 0 that ends it.
constexpr absl::string_view kXmpName("http://ns.adobe.com/xap/1.0/\0", 29);
constexpr size_t kMaxMarkerBytes = 65533;

// The file, which libjpeg writes in place.
struct Destination {
  jpeg_destination_mgr manager{nullptr, 0, &Begin, &Grow, &End};
  std::string bytes;

  static Destination& Of(j_compress_ptr encoder) {
    return *reinterpret_cast<Destination*>(encoder->dest);
  }
  static void Begin(j_compress_ptr encoder) { Of(encoder).Extend(0); }
  static boolean Grow(j_compress_ptr encoder) {
    Of(encoder).Extend(Of(encoder).bytes.size());
    return TRUE;
  }
  static void End(j_compress_ptr encoder) {
    Destination& self = Of(encoder);
    self.bytes.resize(self.bytes.size() - self.manager.free_in_buffer);
  }

  void Extend(size_t used) {
    constexpr size_t kLeast = 4096;
    bytes.resize(std::max(kLeast, 2 * used));
    manager.next_output_byte = reinterpret_cast<JOCTET*>(bytes.data()) + used;
    manager.free_in_buffer = bytes.size() - used;
  }
};

class JpegWriter {
 public:
  JpegWriter() {
    std::memset(&encoder_, 0, sizeof(encoder_));
    encoder_.err = errors_.manager();
    encoder_.client_data = &errors_;
    created_ = errors_.Try([this] { jpeg_create_compress(&encoder_); });
  }
  ~JpegWriter() { jpeg_destroy_compress(&encoder_); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  bool Write(const uint8_t* pixels, const ImageSize& size, const JpegEncoding& how) {
    return created_ && errors_.Try([&] {
      encoder_.dest = &destination_.manager;
      Configure(size, how);
      jpeg_start_compress(&encoder_, TRUE);
      if (!how.xmp_metadata.empty()) WriteXmp(how.xmp_metadata);
      const uint8_t* next = pixels;
      while (encoder_.next_scanline < encoder_.image_height) {
        ThrowIfCancelled();
        auto* row = const_cast<JSAMPROW>(next);  // libjpeg reads it
        next += size.row() * jpeg_write_scanlines(&encoder_, &row, 1);
      }
      jpeg_finish_compress(&encoder_);
    });
  }
  std::string TakeBytes() { return std::move(destination_.bytes); }
  const char* error() const { return errors_.text(); }

 private:
  void Configure(const ImageSize& size, const JpegEncoding& how) {
    encoder_.image_width = static_cast<JDIMENSION>(size.width);
    encoder_.image_height = static_cast<JDIMENSION>(size.height);
    encoder_.input_components = static_cast<int>(size.channels);
    encoder_.in_color_space = size.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&encoder_);
    if (how.optimize_size) encoder_.optimize_coding = TRUE;
    encoder_.density_unit = how.density_in_cm ? 2 : 1;
    encoder_.X_density = static_cast<UINT16>(how.x_density);
    encoder_.Y_density = static_cast<UINT16>(how.y_density);
    jpeg_set_quality(&encoder_, how.quality, TRUE);
    if (how.progressive) jpeg_simple_progression(&encoder_);
    if (!how.chroma_downsampling) {
      for (int c = 0; c < encoder_.num_components; ++c) {
        encoder_.comp_info[c].h_samp_factor = encoder_.comp_info[c].v_samp_factor = 1;
      }
    }
  }

  void WriteXmp(absl::string_view text) {
    const size_t count = kXmpName.size() + text.size();
    if (count > kMaxMarkerBytes) ERREXIT(&encoder_, JERR_BAD_LENGTH);
    jpeg_write_m_header(&encoder_, JPEG_APP0 + 1, static_cast<unsigned>(count));
    for (char c : kXmpName) jpeg_write_m_byte(&encoder_, static_cast<uint8_t>(c));
    for (char c : text) jpeg_write_m_byte(&encoder_, static_cast<uint8_t>(c));
  }

  JpegErrors errors_;
  jpeg_compress_struct encoder_;
  bool created_;
  Destination destination_;
};

}  // namespace

absl::StatusOr<std::string> EncodeJpeg(const uint8_t* pixels, const ImageSize& size,
                                       const JpegEncoding& how) {
  if (size.height < 1 || size.width < 1) return Internal("JPEG encoding failed: no pixels");
  if (size.height > JPEG_MAX_DIMENSION || size.width > JPEG_MAX_DIMENSION) {
    return Internal("JPEG encoding failed: an image has at most ", JPEG_MAX_DIMENSION,
                    " rows and columns");
  }
  JpegWriter writer;
  if (!writer.Write(pixels, size, how)) {
    return Internal("JPEG encoding failed: ", absl::string_view(writer.error()));
  }
  return writer.TakeBytes();
}

}  // namespace sluice::kernels
