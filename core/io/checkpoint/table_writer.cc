// SPDX-License-Identifier: Apache-2.0
#include "core/io/checkpoint/table.h"
#include "core/io/coding.h"
#include "core/io/crc32c.h"

namespace sluice {
namespace {

constexpr uint64_t kMagic = 0xdb4775248b80fb57;
constexpr size_t kHandlesSize = 40;
constexpr char kPlain = 0;

size_t CommonPrefix(absl::string_view a, absl::string_view b) {
  size_t n = 0;
  while (n < a.size() && n < b.size() && a[n] == b[n]) ++n;
  return n;
}

uint8_t Byte(absl::string_view s, size_t i) { return static_cast<uint8_t>(s[i]); }

// A short key k with low <= k < high.
std::string Between(absl::string_view low, absl::string_view high) {
  const size_t common = CommonPrefix(low, high);
  if (common < low.size() && common < high.size() && Byte(low, common) < 0xff &&
      Byte(low, common) + 1 < Byte(high, common)) {
    std::string key(low.substr(0, common + 1));
    ++key.back();
    return key;
  }
  return std::string(low);
}

// A short key that is not below `key`.
std::string After(absl::string_view key) {
  for (size_t i = 0; i < key.size(); ++i) {
    if (Byte(key, i) == 0xff) continue;
    std::string after(key.substr(0, i + 1));
    ++after.back();
    return after;
  }
  return std::string(key);
}

std::string Encoded(const BlockHandle& handle) {
  std::string bytes;
  AppendVarint(handle.offset, &bytes);
  AppendVarint(handle.size, &bytes);
  return bytes;
}

}  // namespace

void TableBlock::Add(absl::string_view key, absl::string_view value) {
  size_t shared = 0;
  if (since_restart_ == restart_interval_) {
    restarts_.push_back(static_cast<uint32_t>(bytes_.size()));
    since_restart_ = 0;
  } else if (!bytes_.empty()) {
    shared = CommonPrefix(last_key_, key);
  }
  AppendVarint(shared, &bytes_);
  AppendVarint(key.size() - shared, &bytes_);
  AppendVarint(value.size(), &bytes_);
  bytes_.append(key.data() + shared, key.size() - shared);
  bytes_.append(value.data(), value.size());
  last_key_.assign(key.data(), key.size());
  ++since_restart_;
}

std::string TableBlock::Finish() {
  for (const uint32_t restart : restarts_) AppendFixed(restart, 4, &bytes_);
  AppendFixed(restarts_.size(), 4, &bytes_);
  std::string contents = std::move(bytes_);
  bytes_.clear();
  restarts_ = {0};
  since_restart_ = 0;
  return contents;
}

absl::Status TableWriter::Add(absl::string_view key, absl::string_view value) {
  if (any_ && key <= last_key_) return InvalidArgument("table key \"", key, "\" is out of order");
  if (value.size() >= kLargeEntry) SLUICE_RETURN_IF_ERROR(CutBlock());
  if (pending_) {
    index_.Add(Between(last_key_, key), Encoded(pending_handle_));
    pending_ = false;
  }
  any_ = true;
  last_key_.assign(key.data(), key.size());
  data_.Add(key, value);
  return data_.size() >= kBlockSize ? CutBlock() : absl::OkStatus();
}

absl::Status TableWriter::CutBlock() {
  if (data_.empty()) return absl::OkStatus();
  SLUICE_ASSIGN(pending_handle_, Write(data_.Finish()));
  pending_ = true;
  return absl::OkStatus();
}

absl::StatusOr<BlockHandle> TableWriter::Write(std::string contents) {
  const BlockHandle handle{file_->size(), contents.size()};
  contents.push_back(kPlain);
  AppendFixed(MaskCrc(Crc32c(contents)), 4, &contents);
  SLUICE_RETURN_IF_ERROR(file_->Append(contents));
  return handle;
}

absl::Status TableWriter::Commit() {
  SLUICE_RETURN_IF_ERROR(CutBlock());
  SLUICE_ASSIGN(const BlockHandle metaindex, Write(TableBlock(16).Finish()));
  if (pending_) index_.Add(After(last_key_), Encoded(pending_handle_));
  SLUICE_ASSIGN(const BlockHandle index, Write(index_.Finish()));
  std::string footer = Encoded(metaindex) + Encoded(index);
  footer.resize(kHandlesSize, '\0');
  AppendFixed(kMagic, 8, &footer);
  SLUICE_RETURN_IF_ERROR(file_->Append(footer));
  return file_->Commit();
}

}  // namespace sluice
