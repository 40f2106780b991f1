// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_RECORDIO_H_
#define SLUICE_KERNELS_COMMON_DATASET_RECORDIO_H_

#include <memory>
#include <string>

#include "core/io/input.h"

namespace sluice::kernels {

// A RecordIoReader reads MXNet's RecordIO. Each record is a magic number, a word with its length in
// the lower 29 bits, the bytes, and zeros up to a multiple of 4; words are little endian. The upper 3
// bits of the second word are 0 for a whole record, 1, 2 and 3 for the first, the middle and the
// last part of one: where the bytes of a record contain the magic number, the writer cuts it out.
//
// Threads:  one at a time.
// Errors:   DATA_LOSS "corrupted record at <offset>" or "truncated record at <offset>"; further
//           calls give the same error.
class RecordIoReader {
 public:
  explicit RecordIoReader(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // False at the end.
  absl::StatusOr<bool> Read(std::string* record);
  uint64_t offset() const { return offset_; }  // of the next record

 private:
  absl::StatusOr<bool> ReadNext(std::string* record);
  absl::Status Damaged(absl::string_view how) const;

  BufferedInput input_;
  uint64_t offset_ = 0;
  absl::Status broken_;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_RECORDIO_H_
