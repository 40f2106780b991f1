// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CHECKPOINT_TABLE_H_
#define SLUICE_CORE_IO_CHECKPOINT_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/io/atomic_file.h"
#include "core/io/random_access_file.h"

namespace sluice {

// A table is a file of keys, ascending as bytes, with their values: blocks of entries that share
// prefixes, an index of the blocks, a footer. Checkpoint indices and V1 checkpoints are tables.
//
//   file   = block* metaindex index footer
//   block  = entries, restart offsets (4 bytes each), their count; type (1), masked crc (4)
//   entry  = shared, unshared, value size as varints; unshared key bytes; value
//   footer = handles (offset, size as varints) of metaindex and index, padded to 40 bytes; magic

// The position of a block, without the 5 bytes after it.
struct BlockHandle {
  uint64_t offset = 0, size = 0;
};

// A TableBlock is built entry by entry.
class TableBlock {
 public:
  explicit TableBlock(int restart_interval) : restart_interval_(restart_interval) {}
  void Add(absl::string_view key, absl::string_view value);
  std::string Finish();  // returns the contents and clears the block
  size_t size() const { return bytes_.size() + 4 * restarts_.size() + 4; }
  bool empty() const { return bytes_.empty(); }

 private:
  const int restart_interval_;
  std::string bytes_, last_key_;
  std::vector<uint32_t> restarts_{0};
  int since_restart_ = 0;
};

// A TableWriter writes a table into a file.
//
// Threads:  one at a time.
class TableWriter {
 public:
  explicit TableWriter(std::unique_ptr<AtomicFile> file) : file_(std::move(file)) {}
  // INVALID_ARGUMENT unless `key` comes after the last one.
  absl::Status Add(absl::string_view key, absl::string_view value);
  absl::Status Commit();

 private:
  absl::Status CutBlock();
  absl::StatusOr<BlockHandle> Write(std::string contents);

  static constexpr size_t kBlockSize = 256 << 10, kLargeEntry = 512 << 10;

  std::unique_ptr<AtomicFile> file_;
  TableBlock data_{16}, index_{1};
  std::string last_key_;
  bool any_ = false;
  // The index entry of a block is written at the next key: a short key between the two suffices.
  bool pending_ = false;
  BlockHandle pending_handle_;
};

// A Table is a table file, open for reading. Blocks are checked when they are read.
//
// Threads:  any; a Cursor: one at a time.
// Errors:   DATA_LOSS, naming the file, for malformed data.
class Table {
 public:
  static absl::StatusOr<std::unique_ptr<Table>> Open(const std::string& path);
  const std::string& path() const { return file_->path(); }

  // A Cursor is at an entry, or after the last one.
  class Cursor {
   public:
    explicit Cursor(const Table& table) : table_(&table) {}
    // Moves to the first entry whose key is not below `key`.
    absl::Status Seek(absl::string_view key);
    absl::Status Next();
    bool valid() const { return valid_; }
    const std::string& key() const { return key_; }
    absl::string_view value() const { return value_; }

   private:
    absl::Status Load(size_t block);
    absl::StatusOr<bool> NextInBlock();

    const Table* table_;
    size_t block_ = SIZE_MAX;  // index of the block
    std::string contents_;     // only its entries
    absl::string_view rest_;   // entries after this one
    std::string key_;
    absl::string_view value_;
    bool valid_ = false;
  };

 private:
  struct Indexed {
    std::string last_key;  // not below any key of the block
    BlockHandle handle;
  };
  explicit Table(std::unique_ptr<RandomAccessFile> file) : file_(std::move(file)) {}
  // A block's entries, uncompressed, its sum checked.
  absl::StatusOr<std::string> Read(const BlockHandle& handle) const;
  absl::Status ReadIndex(absl::string_view footer);
  absl::Status Damaged(absl::string_view what) const;

  const std::unique_ptr<RandomAccessFile> file_;
  std::vector<Indexed> blocks_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CHECKPOINT_TABLE_H_
