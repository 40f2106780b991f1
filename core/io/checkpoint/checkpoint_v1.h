// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_CHECKPOINT_CHECKPOINT_V1_H_
#define SLUICE_CORE_IO_CHECKPOINT_CHECKPOINT_V1_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/io/checkpoint/table.h"
#include "core/io/checkpoint/tensor_slice.h"

// TensorFlow's older checkpoint format: one table, whose values are messages with the tensors'
// values in typed fields.

namespace sluice {

// A V1Writer collects slices of tensors and writes them as one file.
//
// Threads:  one at a time.
class V1Writer {
 public:
  explicit V1Writer(std::string path) : path_(std::move(path)) {}
  absl::Status AddSlice(const std::string& name, const ShapeAndSlice& part, const Tensor& tensor);
  absl::Status Commit();

 private:
  struct Saved {
    DType dtype;
    Shape shape;
    std::vector<TensorSlice> slices;
  };
  const std::string path_;
  std::map<std::string, Saved> tensors_;
  std::map<std::string, std::string> slices_;  // by key: serialised
};

// A V1Reader reads tensors of such files. The files of a pattern are one checkpoint.
//
// Threads:  one at a time.
// Errors:   NOT_FOUND for a pattern without a file and for a missing name, DATA_LOSS for damaged
//           data, INVALID_ARGUMENT for a slice that is not covered.
class V1Reader {
 public:
  static absl::StatusOr<std::unique_ptr<V1Reader>> Open(const std::string& pattern);

  struct Stored {
    DType dtype = kInvalid;
    Shape shape;
    std::vector<TensorSlice> slices;
    std::vector<const Table*> files;  // the table of each slice
  };
  absl::StatusOr<const Stored*> Find(const std::string& name) const;
  // REQUIRES: `slice` lies within stored.shape.
  absl::StatusOr<Tensor> ReadSlice(const std::string& name, const Stored& stored,
                                   const TensorSlice& slice) const;

 private:
  explicit V1Reader(std::string pattern) : pattern_(std::move(pattern)) {}
  absl::Status AddFile(const std::string& path);

  const std::string pattern_;
  std::vector<std::unique_ptr<Table>> files_;
  absl::flat_hash_map<std::string, Stored> tensors_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_CHECKPOINT_CHECKPOINT_V1_H_
