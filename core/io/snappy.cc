// SPDX-License-Identifier: Apache-2.0
#include "core/io/snappy.h"

#include <arpa/inet.h>
#include <snappy.h>

#include <algorithm>
#include <cstring>

namespace sluice {
namespace {

constexpr size_t kBlock = 256 << 10;  // of uncompressed bytes

class SnappyInput final : public Input {
 public:
  explicit SnappyInput(std::unique_ptr<Input> from) : from_(std::move(from)) {}
  const std::string& path() const override { return from_->path(); }

  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    SLUICE_RETURN_IF_ERROR(damage_);
    size_t got = 0;
    while (got < size) {
      if (at_ == block_.size()) {
        const absl::StatusOr<bool> more = NextBlock();
        if (!more.ok()) return damage_ = more.status();
        if (!*more) break;
      }
      const size_t taken = std::min(size - got, block_.size() - at_);
      std::memcpy(to + got, block_.data() + at_, taken);
      at_ += taken;
      got += taken;
    }
    return got;
  }

 private:
  // False at the end.
  absl::StatusOr<bool> NextBlock() {
    at_ = 0;
    block_.clear();
    char size_bytes[sizeof(uint32_t)];
    SLUICE_ASSIGN(const size_t got, from_->Read(size_bytes, sizeof size_bytes));
    if (got == 0) return false;
    if (got < sizeof size_bytes) return DataLoss(path(), ": the compressed data is cut off");
    uint32_t big_endian;
    std::memcpy(&big_endian, size_bytes, sizeof big_endian);
    const size_t size = ntohl(big_endian);
    if (size > snappy::MaxCompressedLength(kBlock))
      return DataLoss(path(), ": a compressed block of ", size, " bytes");
    std::string bytes(size, '\0');
    SLUICE_ASSIGN(const size_t read, from_->Read(bytes.data(), size));
    if (read < size) return DataLoss(path(), ": the compressed data is cut off");
    absl::StatusOr<std::string> block = UncompressSnappy(bytes);
    if (!block.ok()) return DataLoss(path(), ": ", block.status().message());
    block_ = std::move(*block);
    return true;
  }

  const std::unique_ptr<Input> from_;
  std::string block_;
  size_t at_ = 0;
  absl::Status damage_;
};

class SnappyOutput final : public OutputFile {
 public:
  explicit SnappyOutput(std::unique_ptr<OutputFile> to) : to_(std::move(to)) {}
  absl::Status Consume(absl::string_view* bytes) override {
    while (!bytes->empty()) {
      const size_t size = std::min(bytes->size(), kBlock - block_.size());
      block_.append(bytes->data(), size);
      bytes->remove_prefix(size);
      if (block_.size() == kBlock) SLUICE_RETURN_IF_ERROR(WriteBlock());
    }
    return absl::OkStatus();
  }
  absl::Status Close() override {
    if (!block_.empty()) SLUICE_RETURN_IF_ERROR(WriteBlock());
    return to_->Close();
  }

 private:
  absl::Status WriteBlock() {
    std::string compressed;
    snappy::Compress(block_.data(), block_.size(), &compressed);
    block_.clear();
    const uint32_t big_endian = htonl(static_cast<uint32_t>(compressed.size()));
    SLUICE_RETURN_IF_ERROR(to_->Append(
        absl::string_view(reinterpret_cast<const char*>(&big_endian), sizeof big_endian)));
    return to_->Append(compressed);
  }

  const std::unique_ptr<OutputFile> to_;
  std::string block_;
};

}  // namespace

absl::StatusOr<std::string> UncompressSnappy(absl::string_view from) {
  // Three bytes copy at most 64.
  constexpr size_t kMostExpansion = 64 / 3 + 1;
  size_t size = 0;
  std::string to;
  if (!snappy::GetUncompressedLength(from.data(), from.size(), &size) ||
      size / kMostExpansion > from.size() || !snappy::Uncompress(from.data(), from.size(), &to)) {
    return DataLoss("compressed data is damaged");
  }
  return to;
}

std::unique_ptr<Input> SnappyDecompressed(std::unique_ptr<Input> from) {
  return std::make_unique<SnappyInput>(std::move(from));
}

std::unique_ptr<OutputFile> SnappyCompressed(std::unique_ptr<OutputFile> to) {
  return std::make_unique<SnappyOutput>(std::move(to));
}

}  // namespace sluice
