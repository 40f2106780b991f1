// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/io/checkpoint/table.h"
#include "core/io/coding.h"
#include "core/io/crc32c.h"
#include "core/io/snappy.h"

namespace sluice {
namespace {

constexpr uint64_t kMagic = 0xdb4775248b80fb57;
constexpr size_t kFooterSize = 48, kTrailerSize = 5;

bool TakeHandle(absl::string_view* from, BlockHandle* handle) {
  return TakeVarint(from, &handle->offset) && TakeVarint(from, &handle->size);
}

// Reads an entry from the front: `key` becomes the next key.
bool TakeEntry(absl::string_view* from, std::string* key, absl::string_view* value) {
  uint64_t shared, unshared, size;
  if (!TakeVarint(from, &shared) || !TakeVarint(from, &unshared) || !TakeVarint(from, &size)) {
    return false;
  }
  if (shared > key->size() || unshared > from->size() || size > from->size() - unshared) {
    return false;
  }
  key->resize(shared);
  key->append(from->data(), unshared);
  *value = from->substr(unshared, size);
  from->remove_prefix(unshared + size);
  return true;
}

}  // namespace

absl::Status Table::Damaged(absl::string_view what) const {
  return DataLoss(path(), " is not a table, or damaged: ", what);
}

absl::StatusOr<std::unique_ptr<Table>> Table::Open(const std::string& path) {
  SLUICE_ASSIGN(std::unique_ptr<RandomAccessFile> file, RandomAccessFile::Open(path));
  std::unique_ptr<Table> table(new Table(std::move(file)));
  const uint64_t size = table->file_->size();
  if (size < kFooterSize) return table->Damaged("file is too short to be an sstable");
  SLUICE_ASSIGN(const std::string footer, table->file_->ReadAt(size - kFooterSize, kFooterSize));
  SLUICE_RETURN_IF_ERROR(table->ReadIndex(footer));
  return table;
}

absl::Status Table::ReadIndex(absl::string_view footer) {
  if (DecodeFixed(footer.substr(kFooterSize - 8)) != kMagic) {
    return Damaged("not an sstable (bad magic number)");
  }
  BlockHandle metaindex, index;
  if (!TakeHandle(&footer, &metaindex) || !TakeHandle(&footer, &index)) {
    return Damaged("its footer is wrong");
  }
  SLUICE_ASSIGN(const std::string contents, Read(index));
  absl::string_view rest = contents, value;
  for (std::string key; !rest.empty();) {
    Indexed block;
    if (!TakeEntry(&rest, &key, &value) || !TakeHandle(&value, &block.handle)) {
      return Damaged("its index is wrong");
    }
    if (!blocks_.empty() && key < blocks_.back().last_key) {
      return Damaged("its index is out of order");
    }
    block.last_key = key;
    blocks_.push_back(std::move(block));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Table::Read(const BlockHandle& handle) const {
  if (handle.size > UINT64_MAX - kTrailerSize ||
      !file_->Has(handle.offset, handle.size + kTrailerSize)) {
    return Damaged("a block lies outside");
  }
  SLUICE_ASSIGN(std::string block, file_->ReadAt(handle.offset, handle.size + kTrailerSize));
  const absl::string_view checked = absl::string_view(block).substr(0, handle.size + 1);
  const uint64_t stored = DecodeFixed(absl::string_view(block).substr(handle.size + 1));
  if (UnmaskCrc(static_cast<uint32_t>(stored)) != Crc32c(checked)) {
    return Damaged(Cat("block checksum mismatch at ", handle.offset));
  }
  const char type = block[handle.size];
  block.resize(handle.size);
  if (type == 1) {
    SLUICE_ASSIGN(block, UncompressSnappy(block));
  } else if (type != 0) {
    return Damaged("a block is compressed in an unknown way");
  }
  if (block.size() < 4) return Damaged("a block is too short");
  const uint64_t restarts = DecodeFixed(absl::string_view(block).substr(block.size() - 4));
  if (restarts > (block.size() - 4) / 4) return Damaged("a block's end is wrong");
  block.resize(block.size() - 4 - 4 * restarts);
  return block;
}

absl::Status Table::Cursor::Load(size_t block) {
  valid_ = false;
  key_.clear();
  if (block != block_) {
    block_ = SIZE_MAX;
    SLUICE_ASSIGN(contents_, table_->Read(table_->blocks_[block].handle));
    block_ = block;
  }
  rest_ = contents_;
  return absl::OkStatus();
}

absl::StatusOr<bool> Table::Cursor::NextInBlock() {
  if (rest_.empty()) return false;
  if (!TakeEntry(&rest_, &key_, &value_)) return table_->Damaged("an entry is wrong");
  return true;
}

absl::Status Table::Cursor::Seek(absl::string_view key) {
  const auto& blocks = table_->blocks_;
  const size_t block =
      std::lower_bound(blocks.begin(), blocks.end(), key,
                       [](const Indexed& b, absl::string_view k) { return b.last_key < k; }) -
      blocks.begin();
  if (block == blocks.size()) {
    valid_ = false;
    return absl::OkStatus();
  }
  // A lookup in the order of the keys continues at the cursor.
  if (!(valid_ && block == block_ && key_ <= key)) {
    SLUICE_RETURN_IF_ERROR(Load(block));
    SLUICE_RETURN_IF_ERROR(Next());
  }
  while (valid_ && key_ < key) SLUICE_RETURN_IF_ERROR(Next());
  return absl::OkStatus();
}

absl::Status Table::Cursor::Next() {
  SLUICE_ASSIGN(valid_, NextInBlock());
  while (!valid_ && block_ + 1 < table_->blocks_.size()) {
    SLUICE_RETURN_IF_ERROR(Load(block_ + 1));
    SLUICE_ASSIGN(valid_, NextInBlock());
  }
  return absl::OkStatus();
}

}  // namespace sluice
