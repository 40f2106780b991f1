// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_INPUT_H_
#define SLUICE_CORE_IO_INPUT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/status.h"

namespace sluice {

// An Input gives bytes, front to back.
//
// Threads:  one at a time.
class Input {
 public:
  virtual ~Input() = default;
  // Fewer than `size` bytes only at the end, where it is 0.
  virtual absl::StatusOr<size_t> Read(char* to, size_t size) = 0;
  virtual const std::string& path() const = 0;  // for error texts
};

enum class Compression { kNone, kZlib, kGzip };
// "", "ZLIB", "GZIP" (what record options say). INVALID_ARGUMENT for others.
absl::StatusOr<Compression> ParseCompression(absl::string_view name);
// Decompresses; several streams one behind the other are one. DATA_LOSS when the bytes are damaged
// or cut off.
std::unique_ptr<Input> Decompressed(std::unique_ptr<Input> from, Compression how);

// A BufferedInput reads lines and pieces from an Input.
//
// Threads:  one at a time.
class BufferedInput {
 public:
  explicit BufferedInput(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // A line without its end ("\n" or "\r\n"). False at the end of the input.
  absl::StatusOr<bool> ReadLine(std::string* line);
  // The next `size` bytes, fewer at the end. Appends: memory grows only as bytes come.
  absl::Status Read(uint64_t size, std::string* to);
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
