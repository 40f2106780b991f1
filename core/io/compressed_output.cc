// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <algorithm>
#include <string>

#include "core/io/file.h"
#include "core/io/snappy.h"

namespace sluice {
namespace {

constexpr size_t kChunk = 256 << 10;

class ZlibOutput final : public OutputFile {
 public:
  ZlibOutput(std::unique_ptr<OutputFile> to, Compression how)
      : to_(std::move(to)), buffer_(kChunk, '\0') {
    constexpr int kWindow = 15, kWithGzipHeader = 16, kMemory = 8;
    open_ = deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                         how == Compression::kGzip ? kWindow + kWithGzipHeader : kWindow, kMemory,
                         Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~ZlibOutput() override {
    if (open_) deflateEnd(&stream_);
  }
  absl::Status Consume(absl::string_view* bytes) override {
    if (!open_) return Internal("zlib cannot begin a stream");
    while (!bytes->empty()) {
      const size_t size = std::min(bytes->size(), kChunk);
      SLUICE_RETURN_IF_ERROR(Deflate(bytes->substr(0, size), Z_NO_FLUSH));
      bytes->remove_prefix(size);
    }
    return absl::OkStatus();
  }
  absl::Status Close() override {
    if (!open_) return Internal("zlib cannot begin a stream");
    SLUICE_RETURN_IF_ERROR(Deflate({}, Z_FINISH));
    return to_->Close();
  }

 private:
  absl::Status Deflate(absl::string_view bytes, int flush) {
    // zlib does not write to its input.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_out = static_cast<uInt>(buffer_.size());
      if (deflate(&stream_, flush) == Z_STREAM_ERROR) return Internal("zlib: the stream is broken");
      SLUICE_RETURN_IF_ERROR(
          to_->Append(absl::string_view(buffer_).substr(0, buffer_.size() - stream_.avail_out)));
    } while (stream_.avail_out == 0);
    return absl::OkStatus();
  }

  const std::unique_ptr<OutputFile> to_;
  std::string buffer_;
  z_stream stream_ = {};
  bool open_ = false;
};

}  // namespace

std::unique_ptr<OutputFile> Compressed(std::unique_ptr<OutputFile> to, Compression how) {
  if (how == Compression::kSnappy) return SnappyCompressed(std::move(to));
  return std::make_unique<ZlibOutput>(std::move(to), how);
}

}  // namespace sluice
