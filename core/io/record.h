// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_RECORD_H_
#define SLUICE_CORE_IO_RECORD_H_

#include <memory>
#include <string>

#include "core/io/input.h"

namespace sluice {

// A RecordReader reads a TFRecord file: each record is its length (8 bytes, little endian), the
// masked CRC-32C of these 8, the bytes, and theirs.
//
// A rest at the end of a file that is shorter than a length and its sum is not a record, as in
// TensorFlow: a writer may still be active.
//
// Threads:  one at a time.
// Errors:   DATA_LOSS "corrupted record at <offset>" or "truncated record at <offset>"; further
//           calls give the same error. The offset is that of the record, or of its bytes if their
//           sum is wrong.
class RecordReader {
 public:
  explicit RecordReader(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // False at the end.
  absl::StatusOr<bool> Read(std::string* record);
  // Goes on behind so many decompressed bytes, where a record must begin. There are no records
  // beyond the end.
  absl::Status Skip(uint64_t bytes);
  // The position of the next record in the decompressed bytes.
  uint64_t offset() const { return offset_; }

 private:
  absl::StatusOr<bool> ReadNext(std::string* record);
  absl::Status Damaged(absl::string_view how, uint64_t at) const;

  BufferedInput input_;
  uint64_t offset_ = 0;
  absl::Status broken_;
};

// A record of these bytes in the file's format.
std::string FramedRecord(absl::string_view bytes);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_RECORD_H_
