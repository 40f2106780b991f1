// SPDX-License-Identifier: Apache-2.0
#include "core/io/lmdb_reader.h"

#include <bit>

#include "core/io/coding.h"
#include "core/io/file.h"

namespace sluice {
namespace {

constexpr uint64_t kMagic = 0xbeefc0de, kVersion = 1, kNoPage = UINT64_MAX;
constexpr size_t kHeader = 16, kNodeHeader = 8, kTree = 48, kMeta = 136;
// A meta holds two trees: that of free pages, whose width is the page size, and that of entries.
constexpr size_t kTrees = 24, kTransaction = kTrees + 2 * kTree + 8;
constexpr size_t kRoot = 40;  // offset in a tree
constexpr size_t kDeepest = 32;
enum PageKind : unsigned { kBranch = 1, kLeaf = 2, kOverflow = 4, kKeysOnly = 0x20 };
enum NodeFlag : unsigned { kBig = 1, kSubtree = 2, kDuplicates = 4 };

// REQUIRES: the bytes exist.
uint64_t Number(absl::string_view bytes, size_t at, size_t size) {
  return DecodeFixed(bytes.substr(at, size));
}

unsigned KindOf(absl::string_view page) { return static_cast<unsigned>(Number(page, 10, 2)); }

// An invalid size leaves a page without nodes.
size_t CountNodes(absl::string_view page) {
  const size_t end = Number(page, 12, 2);
  return end < kHeader || end > page.size() ? 0 : (end - kHeader) / 2;
}

}  // namespace

absl::Status LmdbReader::Damaged(absl::string_view what) const {
  return DataLoss(file_->path(), " is not an LMDB file, or damaged: ", what);
}

absl::StatusOr<std::unique_ptr<LmdbReader>> LmdbReader::Open(const std::string& path) {
  const auto info = DescribeFile(path);
  const bool folder = info.ok() && info->folder;
  SLUICE_ASSIGN(std::unique_ptr<RandomAccessFile> file,
                RandomAccessFile::Open(folder ? path + "/data.mdb" : path));
  std::unique_ptr<LmdbReader> reader(new LmdbReader(std::move(file)));
  SLUICE_RETURN_IF_ERROR(reader->ReadMetas());
  return reader;
}

absl::Status LmdbReader::ReadMetas() {
  uint64_t transaction = 0, root = kNoPage;
  for (const int page : {0, 1}) {
    SLUICE_ASSIGN(const std::string bytes, file_->ReadAt(page * page_size_, kHeader + kMeta));
    const absl::string_view meta = absl::string_view(bytes).substr(kHeader);
    if (Number(meta, 0, 4) != kMagic) return Damaged("the mark of its format is missing");
    if (Number(meta, 4, 4) != kVersion) return Damaged("a version that is not known");
    const uint64_t page_size = Number(meta, kTrees, 4);
    if (page_size < 256 || page_size > 65536 || !std::has_single_bit(page_size) ||
        (page == 1 && page_size != page_size_)) {
      return Damaged("pages of a size that cannot be");
    }
    page_size_ = page_size;
    if (page == 1 && Number(meta, kTransaction, 8) < transaction) continue;
    transaction = Number(meta, kTransaction, 8);
    root = Number(meta, kTrees + kTree + kRoot, 8);
  }
  unread_ = file_->size() / page_size_;
  return root == kNoPage ? absl::OkStatus() : Descend(root, &entries_);
}

absl::StatusOr<std::string> LmdbReader::ReadPages(uint64_t first, uint64_t count) {
  if (first > file_->size() / page_size_) return Damaged("a page lies outside");
  if (count > unread_) return Damaged("it is cut off, or a page is part of two trees");
  unread_ -= count;
  SLUICE_ASSIGN(std::string bytes, file_->ReadAt(first * page_size_, count * page_size_));
  if (Number(bytes, 0, 8) != first) return Damaged("a page with another's number");
  return bytes;
}

absl::Status LmdbReader::Descend(uint64_t page, Walk* walk) {
  if (walk->size() == kDeepest) return Damaged("a tree too deep");
  SLUICE_ASSIGN(std::string bytes, ReadPages(page, 1));
  if ((KindOf(bytes) & (kBranch | kLeaf)) == 0) return Damaged("a page that is none of a tree");
  walk->push_back({std::move(bytes)});
  return absl::OkStatus();
}

absl::StatusOr<LmdbReader::Node> LmdbReader::NodeAt(const Page& page) const {
  const absl::string_view bytes = page.bytes;
  Node node;
  if (KindOf(bytes) & kKeysOnly) {
    const size_t width = Number(bytes, 8, 2), at = kHeader + page.next * width;
    if (at + width > bytes.size()) return Damaged("a key lies outside of its page");
    node.key = bytes.substr(at, width);
    return node;
  }
  const size_t at = Number(bytes, kHeader + 2 * page.next, 2);
  if (at + kNodeHeader > bytes.size()) return Damaged("a node lies outside of its page");
  const absl::string_view header = bytes.substr(at, kNodeHeader),
                          rest = bytes.substr(at + kNodeHeader);
  const size_t key_size = Number(header, 6, 2);
  if (key_size > rest.size()) return Damaged("a key lies outside of its page");
  node.key = rest.substr(0, key_size);
  node.flags = static_cast<unsigned>(Number(header, 4, 2));
  node.low = Number(header, 0, 4);
  if (KindOf(bytes) & kBranch) {
    node.low |= static_cast<uint64_t>(node.flags) << 32;
    return node;
  }
  const size_t size = node.flags & kBig ? 8 : node.low;
  if (size > rest.size() - key_size) return Damaged("a value lies outside of its page");
  node.value = rest.substr(key_size, size);
  return node;
}

absl::StatusOr<std::optional<LmdbReader::Node>> LmdbReader::NextLeaf(Walk* walk) {
  while (!walk->empty()) {
    Page& page = walk->back();
    if (page.next == CountNodes(page.bytes)) {
      walk->pop_back();
      continue;
    }
    SLUICE_ASSIGN(const Node node, NodeAt(page));
    ++page.next;
    if (KindOf(page.bytes) & kLeaf) return node;
    SLUICE_RETURN_IF_ERROR(Descend(node.low, walk));
  }
  return std::nullopt;
}

absl::StatusOr<std::string> LmdbReader::ValueOf(const Node& node) {
  if ((node.flags & kBig) == 0) return std::string(node.value);
  const uint64_t pages = (kHeader + node.low + page_size_ - 1) / page_size_;
  SLUICE_ASSIGN(std::string bytes, ReadPages(DecodeFixed(node.value), pages));
  if ((KindOf(bytes) & kOverflow) == 0) return Damaged("a page that holds no large value");
  return bytes.substr(kHeader, node.low);
}

absl::Status LmdbReader::BeginDuplicates(const Node& node) {
  key_ = std::string(node.key);
  if (node.flags & kSubtree) {
    if (node.value.size() < kTree) return Damaged("the tree of a key's values is too short");
    return Descend(Number(node.value, kRoot, 8), &duplicates_);
  }
  if (node.value.size() < kHeader) return Damaged("the page of a key's values is too short");
  duplicates_.push_back({std::string(node.value)});
  return absl::OkStatus();
}

absl::StatusOr<bool> LmdbReader::ReadNext(std::string* key, std::string* value) {
  while (true) {
    SLUICE_ASSIGN(const std::optional<Node> duplicate, NextLeaf(&duplicates_));
    if (duplicate) {
      *key = key_;
      *value = std::string(duplicate->key);
      return true;
    }
    SLUICE_ASSIGN(const std::optional<Node> node, NextLeaf(&entries_));
    if (!node) return false;
    if (node->flags & kDuplicates) {
      SLUICE_RETURN_IF_ERROR(BeginDuplicates(*node));
      continue;
    }
    SLUICE_ASSIGN(*value, ValueOf(*node));
    *key = std::string(node->key);
    return true;
  }
}

absl::StatusOr<bool> LmdbReader::Next(std::string* key, std::string* value) {
  SLUICE_RETURN_IF_ERROR(broken_);
  absl::StatusOr<bool> found = ReadNext(key, value);
  broken_ = found.status();
  return found;
}

}  // namespace sluice
