// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_LMDB_READER_H_
#define SLUICE_CORE_IO_LMDB_READER_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/io/random_access_file.h"

namespace sluice {

// An LmdbReader returns the entries of an LMDB file in the order of its keys. LMDB's own library
// maps a file and trusts every byte; here a damaged file is an error.
//
//   file = page*; pages 0 and 1 are metas, and the one with the later transaction counts
//   page = number (8), width (2), kind (2), end of the offsets and start of the nodes (2 each);
//          then the nodes' offsets (2 each). Of large values: number, width, kind, pages (4); bytes
//   node = low, high (2 each): the value's size, or a child's page with flags as its highest bits;
//          flags, key size (2 each); key; value
//   tree = width (4), flags, depth (2 each), pages of three kinds, entries, root (8 each)
//
// If a key has several values, each is an entry. They are the keys of a separate tree, or of a page
// within the node.
//
// Threads:  one at a time.
// Errors:   DATA_LOSS, naming the file, for malformed data; later calls return the same error.
class LmdbReader {
 public:
  // `path`: the file, or the folder that holds data.mdb.
  static absl::StatusOr<std::unique_ptr<LmdbReader>> Open(const std::string& path);

  // Returns false at the end.
  absl::StatusOr<bool> Next(std::string* key, std::string* value);

 private:
  struct Node {
    absl::string_view key, value;  // of the current node
    uint64_t low = 0;              // in a branch: the child; in a leaf: the value's size
    unsigned flags = 0;
  };
  struct Page {
    std::string bytes;
    size_t next = 0;  // the next node to read
  };
  using Walk = std::vector<Page>;  // from the root to a leaf; empty at the end

  explicit LmdbReader(std::unique_ptr<RandomAccessFile> file) : file_(std::move(file)) {}
  absl::Status ReadMetas();
  absl::StatusOr<std::string> ReadPages(uint64_t first, uint64_t count);
  absl::Status Descend(uint64_t page, Walk* walk);
  absl::StatusOr<std::optional<Node>> NextLeaf(Walk* walk);
  absl::StatusOr<Node> NodeAt(const Page& page) const;
  absl::StatusOr<std::string> ValueOf(const Node& node);
  absl::StatusOr<bool> ReadNext(std::string* key, std::string* value);
  absl::Status BeginDuplicates(const Node& node);
  absl::Status Damaged(absl::string_view what) const;

  const std::unique_ptr<RandomAccessFile> file_;
  uint64_t page_size_ = 0;
  uint64_t unread_ = 0;  // pages that a walk may still read: each page belongs to one tree, once
  Walk entries_, duplicates_;
  std::string key_;  // key of the duplicates
  absl::Status broken_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_LMDB_READER_H_
