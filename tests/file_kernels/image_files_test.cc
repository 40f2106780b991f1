// SPDX-License-Identifier: Apache-2.0
// Files of images that claim more than they hold.
#include <gtest/gtest.h>

#include <vector>

#include "kernels/common/image/bmp.h"
#include "kernels/common/image/gif.h"
#include "kernels/common/image/jpeg.h"
#include "kernels/common/image/png.h"

namespace sluice::kernels {
namespace {

// Memory that a decoder asks for.
class Pixels {
 public:
  absl::StatusOr<void*> operator()(const ImageSize& size) {
    ++calls;
    bytes.assign(static_cast<size_t>(size.frames * size.frame()), uint8_t{77});
    return bytes.data();
  }
  int calls = 0;
  std::vector<uint8_t> bytes;
};

const ImageSize kSize{1, 24, 40, 3};

std::vector<uint8_t> Slope() {
  std::vector<uint8_t> pixels(static_cast<size_t>(kSize.frame()));
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i / 12);
  return pixels;
}

std::string Jpeg(const JpegEncoding& how) {
  auto file = EncodeJpeg(Slope().data(), kSize, how);
  EXPECT_TRUE(file.ok()) << file.status();
  return *file;
}

void SetBytes(size_t at, absl::string_view bytes, std::string* file) {
  file->replace(at, bytes.size(), bytes.data(), bytes.size());
}

TEST(ImageFilesTest, PngKeepsPixels) {
  auto file = EncodePng(Slope().data(), kSize, 8);
  ASSERT_TRUE(file.ok()) << file.status();
  Pixels pixels;
  ASSERT_TRUE(DecodePng(*file, 0, 8, std::ref(pixels)).ok());
  EXPECT_EQ(pixels.bytes, Slope());
}

TEST(ImageFilesTest, APngFileOfFewBytesGetsNoMemoryForManyPixels) {
  std::string file = *EncodePng(Slope().data(), {1, 1, 1, 3}, 8);
  const size_t header = file.find("IHDR");
  SetBytes(header + 4, absl::string_view("\0\0\x30\0\0\0\x30\0", 8), &file);
  // CRC-32 of the changed header.
  SetBytes(header + 17, "\x34\xe0\x05\x0b", &file);
  Pixels pixels;
  EXPECT_TRUE(absl::IsInvalidArgument(DecodePng(file, 0, 8, std::ref(pixels))));
  EXPECT_EQ(pixels.calls, 0);
}

TEST(ImageFilesTest, AJpegFileMayNotClaimMorePixelsThanAnImageHas) {
  std::string file = Jpeg({});
  SetBytes(file.find("\xff\xc0") + 5, "\xff\xdc\xff\xdc", &file);
  Pixels pixels;
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeJpeg(file, {}, std::ref(pixels))));
  EXPECT_EQ(pixels.calls, 0);
}

TEST(ImageFilesTest, AJpegFileWithManyScansIsRefused) {
  JpegEncoding progressive;
  progressive.progressive = true;
  const std::string file = Jpeg(progressive);
  const size_t last = file.rfind("\xff\xda"), end = file.size() - 2;
  const std::string scan = file.substr(last, end - last);
  const auto repeated = [&](int times) {
    std::string many = file.substr(0, end);
    for (int i = 0; i < times; ++i) many += scan;
    return many + file.substr(end);
  };
  Pixels pixels;
  EXPECT_TRUE(DecodeJpeg(repeated(20), {}, std::ref(pixels)).ok());
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeJpeg(repeated(1000), {}, std::ref(pixels))));
}

// TensorFlow reads the header of such a file for ever.
TEST(ImageFilesTest, ATruncatedHeaderCannotBeRecovered) {
  const std::string file = Jpeg({});
  JpegDecoding how;
  how.recover_truncated = true;
  Pixels pixels;
  for (size_t length = 0; length < 200; ++length) {
    EXPECT_FALSE(DecodeJpeg(file.substr(0, length), how, std::ref(pixels)).ok()) << length;
  }
}

TEST(ImageFilesTest, RowsBeforeTheEndOfATruncatedJpegFileAreKept) {
  JpegEncoding full;
  full.chroma_downsampling = false;
  full.quality = 100;
  const std::string file = Jpeg(full);
  Pixels whole, part;
  ASSERT_TRUE(DecodeJpeg(file, {}, std::ref(whole)).ok());
  JpegDecoding how;
  how.recover_truncated = true;
  ASSERT_TRUE(DecodeJpeg(file.substr(0, file.size() - 60), how, std::ref(part)).ok());
  const size_t kept = static_cast<size_t>(kSize.row()) * 8;
  EXPECT_TRUE(std::equal(part.bytes.begin(), part.bytes.begin() + kept, whole.bytes.begin()));
  EXPECT_NE(part.bytes, whole.bytes);
}

TEST(ImageFilesTest, AGifFileMayNotClaimMorePixelsThanAnImageHas) {
  constexpr char kHead[] = "GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff";
  const std::string head(kHead, sizeof(kHead) - 1), data("\0\2\2\x44\1\0", 6);
  const auto frame = [&](absl::string_view size) {
    return absl::StrCat(absl::string_view(",\0\0\0\0", 5), size, data);
  };
  const std::string small = frame(absl::string_view("\1\0\1\0", 4));
  Pixels pixels;
  EXPECT_TRUE(DecodeGif(head + small + small + ";", true, std::ref(pixels)).ok());
  EXPECT_EQ(pixels.bytes, std::vector<uint8_t>(6, 0));
  const std::string wide = frame("\xff\xff\xff\xff");
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeGif(head + wide + ";", true, std::ref(pixels))));
  // The frames together are too large: 16385 of 256 x 512.
  std::string many = head;
  for (int i = 0; i < (1 << 14); ++i) many += small;
  many += frame(absl::string_view("\0\2\0\1", 4)) + ";";
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeGif(many, true, std::ref(pixels))));
  EXPECT_EQ(pixels.calls, 1);
}

// No memory is taken for a frame of 200 MB that a few bytes claim to hold.
TEST(ImageFilesTest, AGifFrameMayNotClaimMorePixelsThanItsBytesCanGive) {
  constexpr char kHead[] = "GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff";
  constexpr char kFrame[] = ",\0\0\0\0\x80\x80\x80\x08\0\2\2\x44\1\0;";
  const std::string file(absl::StrCat(absl::string_view(kHead, sizeof(kHead) - 1),
                                      absl::string_view(kFrame, sizeof(kFrame) - 1)));
  Pixels pixels;
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeGif(file, true, std::ref(pixels))));
  EXPECT_EQ(pixels.calls, 0);
}

TEST(ImageFilesTest, ABitmapMustHoldItsPixels) {
  std::string file("BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\0\x10\0\0\0\x10\0\0\1\0\x18\0\0\0", 32);
  Pixels pixels;
  EXPECT_TRUE(absl::IsInvalidArgument(DecodeBmp(file, 0, false, std::ref(pixels))));
  EXPECT_EQ(pixels.calls, 0);
}

}  // namespace
}  // namespace sluice::kernels
