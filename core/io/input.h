// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_INPUT_H_
#define SLUICE_CORE_IO_INPUT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "core/status.h"

namespace sluice {

// An Input returns bytes from beginning to end.
//
// Threads:  one at a time.
class Input {
 public:
  virtual ~Input() = default;
  // Returns fewer than `size` bytes only at the end, and then 0.
  virtual absl::StatusOr<size_t> Read(char* to, size_t size) = 0;
  virtual const std::string& path() const = 0;  // for error texts
};

enum class Compression { kNone, kZlib, kGzip, kSnappy };
// "", "ZLIB" or "GZIP" (the values of record options). INVALID_ARGUMENT for others.
absl::StatusOr<Compression> ParseCompression(absl::string_view name);
// Decompresses. Several streams in a row are read as one. DATA_LOSS if the bytes are damaged. Bytes
// that are cut off give what they have, as in TensorFlow, and a warning in the log.
std::unique_ptr<Input> Decompressed(std::unique_ptr<Input> from, Compression how);

// A BufferedInput reads lines and pieces from an Input.
//
// Threads:  one at a time.
class BufferedInput {
 public:
  explicit BufferedInput(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // A line without its end ("\n" or "\r\n"). Returns false at the end of the input.
  absl::StatusOr<bool> ReadLine(std::string* line);
  // Appends the next `size` bytes, fewer at the end. Memory grows only with received bytes.
  absl::Status Read(uint64_t size, std::string* to);
  // The next `size` bytes, fewer at the end. They are in the buffer, until the next call, if that
  // has them all. Else they are appended to `*pieces`, which is empty.
  absl::StatusOr<absl::string_view> Take(uint64_t size, std::string* pieces);
  absl::Status Skip(uint64_t size);  // not beyond the end
  uint64_t position() const { return position_; }
  const std::string& path() const { return input_->path(); }

 private:
  absl::StatusOr<bool> Fill();  // false at the end

  static constexpr size_t kBufferSize = 256 << 10;

  std::unique_ptr<Input> input_;
  std::string buffer_;
  size_t at_ = 0;
  uint64_t position_ = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_INPUT_H_
