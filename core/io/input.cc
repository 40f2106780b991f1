// SPDX-License-Identifier: Apache-2.0
#include "core/io/input.h"

#include <zlib.h>

#include <algorithm>

#include "core/io/snappy.h"
#include "core/log.h"

namespace sluice {
namespace {

constexpr size_t kChunk = 256 << 10;

class ZlibInput final : public Input {
 public:
  ZlibInput(std::unique_ptr<Input> from, Compression how)
      : from_(std::move(from)), buffer_(kChunk, '\0') {
    constexpr int kWindow = 15, kWithGzipHeader = 16;
    open_ = inflateInit2(&stream_,
                         how == Compression::kGzip ? kWindow + kWithGzipHeader : kWindow) == Z_OK;
  }
  ~ZlibInput() override {
    if (open_) inflateEnd(&stream_);
  }
  const std::string& path() const override { return from_->path(); }

  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    if (!open_) return ResourceExhausted(path(), ": no memory to decompress");
    SLUICE_RETURN_IF_ERROR(damage_);
    size_t got = 0, whole = 0;  // of streams that have ended
    while (got < size) {
      const size_t wanted = std::min(size - got, kChunk);
      stream_.next_out = reinterpret_cast<Bytef*>(to + got);
      stream_.avail_out = static_cast<uInt>(wanted);
      const absl::StatusOr<bool> more = Step();
      // Like TensorFlow, this gives nothing of what a damaged stream had before in this chunk.
      if (!more.ok() && whole == 0) return more.status();
      if (!more.ok()) {
        damage_ = more.status();
        return whole;
      }
      got += wanted - stream_.avail_out;
      if (between_streams_) whole = got;
      if (!*more) break;
    }
    return got;
  }

 private:
  // Decompresses a part. Returns false at the end.
  absl::StatusOr<bool> Step() {
    if (stream_.avail_in == 0) {
      SLUICE_ASSIGN(const size_t size, from_->Read(buffer_.data(), buffer_.size()));
      stream_.next_in = reinterpret_cast<Bytef*>(buffer_.data());
      stream_.avail_in = static_cast<uInt>(size);
      if (size == 0) {
        if (!between_streams_)
          Log(LogLevel::kWarning, path(), ": the compressed data is cut off; it ends there");
        between_streams_ = true;
        return false;
      }
    }
    between_streams_ = false;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_STREAM_END) {
      between_streams_ = true;
      inflateReset(&stream_);
      return true;
    }
    if (result == Z_OK || result == Z_BUF_ERROR) return true;
    return DataLoss(path(), ": inflate() failed with error ", result, ": ",
                    stream_.msg == nullptr ? "damaged data" : stream_.msg);
  }

  const std::unique_ptr<Input> from_;
  std::string buffer_;
  z_stream stream_ = {};
  bool open_;
  bool between_streams_ = true;  // an empty file is an empty stream
  absl::Status damage_;          // of what follows
};

}  // namespace

absl::StatusOr<Compression> ParseCompression(absl::string_view name) {
  if (name.empty() || name == "NONE") return Compression::kNone;
  if (name == "ZLIB") return Compression::kZlib;
  if (name == "GZIP") return Compression::kGzip;
  return InvalidArgument("unsupported compression type \"", name, "\": it is ZLIB, GZIP or none");
}

std::unique_ptr<Input> Decompressed(std::unique_ptr<Input> from, Compression how) {
  if (how == Compression::kNone) return from;
  if (how == Compression::kSnappy) return SnappyDecompressed(std::move(from));
  return std::make_unique<ZlibInput>(std::move(from), how);
}

absl::StatusOr<bool> BufferedInput::Fill() {
  if (at_ < buffer_.size()) return true;
  buffer_.resize(kBufferSize);
  at_ = 0;
  const auto size = input_->Read(buffer_.data(), buffer_.size());
  buffer_.resize(size.ok() ? *size : 0);
  if (!size.ok()) return size.status();
  return *size > 0;
}

absl::StatusOr<bool> BufferedInput::ReadLine(std::string* line) {
  line->clear();
  bool any = false, ended = false;
  while (!ended) {
    SLUICE_ASSIGN(const bool more, Fill());
    if (!more) break;
    any = true;
    size_t end = buffer_.find('\n', at_);
    ended = end != std::string::npos;
    if (!ended) end = buffer_.size();
    line->append(buffer_, at_, end - at_);
    const size_t taken = end - at_ + (ended ? 1 : 0);
    at_ += taken;
    position_ += taken;
  }
  if (!line->empty() && line->back() == '\r') line->pop_back();
  return any;
}

absl::Status BufferedInput::Read(uint64_t size, std::string* to) {
  while (size > 0) {
    SLUICE_ASSIGN(const bool more, Fill());
    if (!more) break;
    const size_t taken = static_cast<size_t>(std::min<uint64_t>(size, buffer_.size() - at_));
    to->append(buffer_, at_, taken);
    at_ += taken;
    position_ += taken;
    size -= taken;
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::string_view> BufferedInput::Take(uint64_t size, std::string* pieces) {
  if (size > buffer_.size() - at_) {
    SLUICE_RETURN_IF_ERROR(Read(size, pieces));
    return *pieces;
  }
  const absl::string_view taken(buffer_.data() + at_, static_cast<size_t>(size));
  at_ += taken.size();
  position_ += taken.size();
  return taken;
}

absl::Status BufferedInput::Skip(uint64_t size) {
  while (size > 0) {
    SLUICE_ASSIGN(const bool more, Fill());
    if (!more) break;
    const size_t taken = static_cast<size_t>(std::min<uint64_t>(size, buffer_.size() - at_));
    at_ += taken;
    position_ += taken;
    size -= taken;
  }
  return absl::OkStatus();
}

}  // namespace sluice
