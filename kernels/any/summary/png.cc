// SPDX-License-Identifier: Apache-2.0
#include "kernels/any/summary/png.h"

#include <zlib.h>

#include <cstdlib>

namespace sluice::kernels {
namespace {

void AppendBigEndian(uint32_t value, std::string* to) {
  for (int shift = 24; shift >= 0; shift -= 8) to->push_back(static_cast<char>(value >> shift));
}

// A chunk is its length, type, bytes, and the CRC-32 of the latter two.
void AppendChunk(absl::string_view type, absl::string_view bytes, std::string* to) {
  AppendBigEndian(static_cast<uint32_t>(bytes.size()), to);
  const size_t start = to->size();
  to->append(type.data(), type.size());
  to->append(bytes.data(), bytes.size());
  AppendBigEndian(static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(to->data()) + start,
                                              static_cast<uInt>(to->size() - start))),
                  to);
}

// Each row follows the number of its filter: 0 unchanged, 1 differences from the pixel before, 2
// from the pixel above. The filter with the smallest differences usually compresses best.
std::string Filtered(absl::Span<const uint8_t> pixels, size_t row_bytes, size_t channels) {
  std::string filtered, rows[3];
  filtered.reserve(pixels.size() + pixels.size() / std::max<size_t>(1, row_bytes));
  for (size_t start = 0; row_bytes > 0 && start < pixels.size(); start += row_bytes) {
    int64_t costs[3] = {0, 0, 0};
    for (std::string& row : rows) row.clear();
    for (size_t i = 0; i < row_bytes; ++i) {
      const uint8_t value = pixels[start + i];
      const uint8_t left = i >= channels ? pixels[start + i - channels] : 0;
      const uint8_t above = start > 0 ? pixels[start + i - row_bytes] : 0;
      const uint8_t residues[3] = {value, static_cast<uint8_t>(value - left),
                                   static_cast<uint8_t>(value - above)};
      for (int f = 0; f < 3; ++f) {
        rows[f].push_back(static_cast<char>(residues[f]));
        costs[f] += std::abs(static_cast<int8_t>(residues[f]));
      }
    }
    int best = 0;
    for (int f = 1; f < 3; ++f) best = costs[f] < costs[best] ? f : best;
    filtered.push_back(static_cast<char>(best));
    filtered += rows[best];
  }
  return filtered;
}

}  // namespace

absl::StatusOr<std::string> EncodePng(absl::Span<const uint8_t> pixels, int width, int height,
                                      int channels) {
  const std::string filtered =
      Filtered(pixels, static_cast<size_t>(width) * channels, static_cast<size_t>(channels));
  uLongf size = compressBound(filtered.size());
  std::string compressed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(compressed.data()), &size,
                reinterpret_cast<const Bytef*>(filtered.data()), filtered.size(),
                Z_DEFAULT_COMPRESSION) != Z_OK ||
      size > INT32_MAX) {
    return ResourceExhausted("cannot compress an image of ", width, " x ", height);
  }
  compressed.resize(size);
  std::string header;
  AppendBigEndian(static_cast<uint32_t>(width), &header);
  AppendBigEndian(static_cast<uint32_t>(height), &header);
  header.push_back(8);  // bits
  header.push_back(channels == 1 ? 0 : channels == 3 ? 2 : 6);
  header.append(3, '\0');  // compression, filters, no interlacing
  std::string png = "\x89PNG\r\n\x1a\n";
  AppendChunk("IHDR", header, &png);
  AppendChunk("IDAT", compressed, &png);
  AppendChunk("IEND", "", &png);
  return png;
}

}  // namespace sluice::kernels
