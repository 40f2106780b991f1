// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/io/file.h"
#include "gtest/gtest.h"
#include "kernels/common/image/jpeg.h"
#include "kernels/common/image/png.h"
#include "tests/file_kernels/formats.h"
#include "tests/paths.h"

namespace sluice::kernels {
namespace {

const ImageSize kSize{1, 24, 40, 3};

std::vector<uint8_t> Slope(const ImageSize& size, int bytes = 1) {
  std::vector<uint8_t> pixels(static_cast<size_t>(size.frame() * bytes));
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i / 12 + i * i % 7);
  return pixels;
}

std::vector<std::string> JpegFiles() {
  std::vector<std::string> files;
  JpegEncoding progressive, full;
  progressive.progressive = true;
  full.chroma_downsampling = false;
  full.xmp_metadata = "some text";
  for (const JpegEncoding& how : {JpegEncoding{}, progressive, full})
    files.push_back(*EncodeJpeg(Slope(kSize).data(), kSize, how));
  const ImageSize grey{1, 17, 9, 1};
  files.push_back(*EncodeJpeg(Slope(grey).data(), grey, {}));
  for (const char* name : {"small.jpg", "progressive.jpg"}) {
    auto file = ReadFile(SourcePath(absl::StrCat("tests/interop/data/jpeg/", name)));
    if (file.ok()) files.push_back(*std::move(file));
  }
  return files;
}

std::string ReadJpeg(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const AttrMap& attrs :
       {AttrMap{}, AttrMap{{"channels", 1}, {"ratio", 4}},
        AttrMap{{"try_recover_truncated", true}, {"acceptable_fraction", 0.5f}},
        AttrMap{{"dct_method", "INTEGER_ACCURATE"}, {"fancy_upscaling", false}}}) {
    absl::StrAppend(&found, ReadWith(runner, "DecodeJpeg", attrs, {Text(bytes)}));
  }
  absl::StrAppend(&found, ReadWith(runner, "DecodeAndCropJpeg", {},
                                   {Text(bytes), Tensor::Vector<int32_t>({3, 2, 5, 6})}));
  return found + ReadWith(runner, "ExtractJpegShape", {}, {Text(bytes)});
}

std::vector<std::string> PngFiles() {
  std::vector<std::string> files;
  for (int channels = 1; channels <= 4; ++channels) {
    const ImageSize size{1, 9, 14, channels};
    for (const int bits : {8, 16}) {
      files.push_back(*EncodePng(Slope(size, bits / 8).data(), size, bits, channels == 1 ? 0 : -1));
    }
  }
  return files;
}

uint32_t BigEndian(absl::string_view bytes) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

// The checksum of each chunk.
std::string RepairPng(std::string bytes) {
  for (size_t at = 8; at + 12 <= bytes.size();) {
    const size_t size = BigEndian(absl::string_view(bytes).substr(at, 4));
    if (size > bytes.size() - at - 12) break;
    const auto* chunk = reinterpret_cast<const Bytef*>(bytes.data() + at + 4);
    const auto sum = static_cast<uint32_t>(crc32(0, chunk, static_cast<uInt>(size + 4)));
    for (size_t i = 0; i < 4; ++i)
      bytes[at + 8 + size + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += 12 + size;
  }
  return bytes;
}

std::string ReadPng(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const int channels : {0, 1, 3, 4}) {
    absl::StrAppend(&found, ReadWith(runner, "DecodePng", {{"channels", channels}}, {Text(bytes)}));
  }
  return found +
         ReadWith(runner, "DecodePng", {{"channels", 4}, {"dtype", kUint16}}, {Text(bytes)});
}

// Frames of 3 x 2 pixels, of which the second has its own colours, a transparent one, and lines in
// another order.
std::string GifFile() {
  constexpr char kHead[] = "GIF89a\3\0\2\0\x80\0\0\0\0\0\xff\xff\xff";
  constexpr char kFrame[] = ",\0\0\0\0\3\0\2\0\0\2\5\x84\x8f\xa9\xcb\x05\0";
  constexpr char kControl[] = "!\xf9\4\1\0\0\1\0";
  constexpr char kOwnColours[] = ",\1\0\0\0\1\0\2\0\xc0\1\2\3\4\5\6\2\2\x44\x0a\0";
  constexpr char kText[] = "!\xfe\4text\0";
  std::string file(kHead, sizeof(kHead) - 1);
  for (const auto part :
       {absl::string_view(kFrame, sizeof(kFrame) - 1), absl::string_view(kText, sizeof(kText) - 1),
        absl::string_view(kControl, sizeof(kControl) - 1),
        absl::string_view(kOwnColours, sizeof(kOwnColours) - 1)}) {
    absl::StrAppend(&file, part);
  }
  return file + ";";
}

std::string SmallGifFile() {
  constexpr char kFile[] =
      "GIF89a\1\0\1\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\1\0\1\0\0\2\2\x44\1\0;";
  return std::string(kFile, sizeof(kFile) - 1);
}

std::string ReadGif(KernelRunner& runner, const std::string& bytes) {
  return ReadWith(runner, "DecodeGif", {}, {Text(bytes)}) +
         ReadWith(runner, "DecodeImage", {{"expand_animations", false}, {"dtype", kFloat}},
                  {Text(bytes)});
}

void AppendLittleEndian(uint32_t value, int bytes, std::string* to) {
  for (int i = 0; i < bytes; ++i) to->push_back(static_cast<char>(value >> 8 * i));
}

std::string BmpFile(int width, int height, int bits) {
  std::string file = "BM";
  const int row = (width * bits / 8 + 3) / 4 * 4;
  const uint32_t size = static_cast<uint32_t>(row * std::abs(height));
  for (const uint32_t field :
       {54 + size, 0u, 54u, 40u, static_cast<uint32_t>(width), static_cast<uint32_t>(height)}) {
    AppendLittleEndian(field, 4, &file);
  }
  AppendLittleEndian(1, 2, &file);
  AppendLittleEndian(static_cast<uint32_t>(bits), 2, &file);
  file.append(24, '\0');
  for (uint32_t i = 0; i < size; ++i) file.push_back(static_cast<char>(i * 7));
  return file;
}

std::string ReadBmp(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const int channels : {0, 1, 3, 4})
    absl::StrAppend(&found, ReadWith(runner, "DecodeBmp", {{"channels", channels}}, {Text(bytes)}));
  return found;
}

std::string ReadAnyImage(KernelRunner& runner, const std::string& bytes) {
  std::string found;
  for (const DType dtype : {kUint8, kUint16, kFloat}) {
    absl::StrAppend(&found, ReadWith(runner, "DecodeImage", {{"dtype", dtype}, {"channels", 3}},
                                     {Text(bytes)}));
  }
  return found;
}

}  // namespace

std::vector<FileFormat> ImageFormats() {
  const std::vector<std::string> gifs = {GifFile(), SmallGifFile()};
  const std::vector<std::string> bitmaps = {BmpFile(5, 4, 24), BmpFile(3, -3, 32),
                                            BmpFile(6, 2, 8)};
  return {{"Jpeg", JpegFiles(), ReadJpeg, nullptr},
          {"Png", PngFiles(), ReadPng, RepairPng},
          {"Gif", gifs, ReadGif, nullptr},
          {"Bmp", bitmaps, ReadBmp, nullptr},
          {"AnyImage",
           {JpegFiles()[0], PngFiles()[4], gifs[0], bitmaps[0]},
           ReadAnyImage,
           [](std::string bytes) {
             return absl::StartsWith(bytes, "\x89PNG") ? RepairPng(std::move(bytes)) : bytes;
           }}};
}

}  // namespace sluice::kernels
