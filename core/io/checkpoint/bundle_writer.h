// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CHECKPOINT_BUNDLE_WRITER_H_
#define SLUICE_CORE_IO_CHECKPOINT_BUNDLE_WRITER_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/io/atomic_file.h"
#include "core/io/checkpoint/tensor_slice.h"

namespace sluice {

// A BundleWriter writes a checkpoint in TensorFlow's V2 format: `<prefix>.index`, a table of the
// tensors' positions, and one file of data. Both appear at Commit, the data first. Their folder is
// created; its parent must exist.
//
// Threads:  one at a time.
// Errors:   NOT_FOUND for a missing parent folder; INVALID_ARGUMENT for a name added twice or a
//           slice that does not fit.
class BundleWriter {
 public:
  static absl::StatusOr<std::unique_ptr<BundleWriter>> Create(const std::string& prefix);

  absl::Status Add(const std::string& name, const Tensor& tensor);
  // `tensor` holds one slice of a partitioned tensor.
  absl::Status AddSlice(const std::string& name, const ShapeAndSlice& part, const Tensor& tensor);
  absl::Status Commit();

 private:
  struct Entry {
    DType dtype;
    Shape shape;
    uint64_t offset = 0, size = 0;
    uint32_t crc = 0;                 // masked
    std::vector<TensorSlice> slices;  // of a partitioned tensor, whose own entry has no bytes
  };
  BundleWriter(std::string prefix, std::unique_ptr<AtomicFile> data)
      : prefix_(std::move(prefix)), data_(std::move(data)) {}
  std::string Encoded(const Entry& entry) const;

  const std::string prefix_;
  std::unique_ptr<AtomicFile> data_;
  std::map<std::string, Entry> entries_;
};

// "<prefix>.index", "<prefix>.data-00001-of-00004"
std::string BundleIndexFile(absl::string_view prefix);
std::string BundleDataFile(absl::string_view prefix, int64_t shard, int64_t shards);

// Merges several bundles into one: their data files get new names, their indices become one. Files
// at `to` are replaced. With `allow_missing`, prefixes without an index are skipped, but at least
// one must have an index.
absl::Status MergeBundles(absl::Span<const std::string> prefixes, const std::string& to,
                          bool allow_missing);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CHECKPOINT_BUNDLE_WRITER_H_
