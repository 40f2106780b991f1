// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CHECKPOINT_BUNDLE_READER_H_
#define SLUICE_CORE_IO_CHECKPOINT_BUNDLE_READER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/io/checkpoint/table.h"
#include "core/io/checkpoint/tensor_slice.h"
#include "core/io/tensor_bytes.h"

namespace sluice {

namespace proto {
class BundleEntryProto;
class BundleHeaderProto;
}  // namespace proto

// Reads the header at `cursor` and checks that its version is supported.
absl::StatusOr<std::shared_ptr<const proto::BundleHeaderProto>> DecodeBundleHeader(
    const Table::Cursor& cursor);

// A BundleReader reads tensors of a checkpoint in TensorFlow's V2 format. Requests in the order of
// names read the index once.
//
// Threads:  one at a time.
// Errors:   NOT_FOUND for an unknown name or a missing file; DATA_LOSS for a damaged file;
//           INVALID_ARGUMENT for a slice that the saved slices do not cover.
class BundleReader {
 public:
  static absl::StatusOr<std::unique_ptr<BundleReader>> Open(const std::string& prefix);

  // The entry of a tensor in the checkpoint; a partitioned tensor is one entry.
  struct Stored {
    DType dtype = kInvalid;
    Shape shape;
    std::vector<TensorSlice> slices;  // empty: stored in one piece
    TensorBytes bytes;
    int shard = 0;
  };
  absl::StatusOr<Stored> Find(const std::string& name);
  absl::StatusOr<Tensor> Read(const std::string& name, const Stored& stored);
  // REQUIRES: `slice` lies within stored.shape.
  absl::StatusOr<Tensor> ReadSlice(const std::string& name, const Stored& stored,
                                   const TensorSlice& slice);

 private:
  BundleReader(std::string prefix, std::unique_ptr<Table> index)
      : prefix_(std::move(prefix)), index_(std::move(index)), cursor_(*index_) {}
  absl::Status ReadHeader();
  absl::StatusOr<Stored> FindKey(const std::string& key, absl::string_view name);
  absl::StatusOr<const RandomAccessFile*> DataFile(int shard);

  const std::string prefix_;
  const std::unique_ptr<Table> index_;
  Table::Cursor cursor_;
  int num_shards_ = 0;
  bool swapped_ = false;
  absl::flat_hash_map<int, std::unique_ptr<RandomAccessFile>> data_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CHECKPOINT_BUNDLE_READER_H_
