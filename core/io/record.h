#ifndef SLUICE_CORE_IO_RECORD_H_
#define SLUICE_CORE_IO_RECORD_H_

#include <memory>
#include <string>

#include "core/io/input.h"

namespace sluice {

// A RecordReader reads a TFRecord file: each record is its length (8 bytes, little endian), the
// masked CRC-32C of these 8, the bytes, and theirs.
//
// Fewer bytes than a length and its sum at the end of a file are none, as TensorFlow has it:
// somebody may still be writing.
//
// Threads:  one at a time.
// Errors:   DATA_LOSS "corrupted record at <offset>" or "truncated record at <offset>"; the same
//           again when asked again.
class RecordReader {
 public:
  explicit RecordReader(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // False at the end.
  absl::StatusOr<bool> Read(std::string* record);
  // Where the next record starts, in the decompressed bytes.
  uint64_t offset() const { return offset_; }

 private:
  absl::StatusOr<bool> ReadNext(std::string* record);
  absl::Status Damaged(absl::string_view how) const;

  BufferedInput input_;
  uint64_t offset_ = 0;
  absl::Status broken_;
};

// What a record of these bytes looks like in a file.
std::string FramedRecord(absl::string_view bytes);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_RECORD_H_
