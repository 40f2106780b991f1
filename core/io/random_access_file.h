// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_RANDOM_ACCESS_FILE_H_
#define SLUICE_CORE_IO_RANDOM_ACCESS_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/status.h"

namespace sluice {

// A RandomAccessFile reads pieces of a file. A file system (file_system.h) makes it.
//
// Threads:  any.
class RandomAccessFile {
 public:
  static absl::StatusOr<std::unique_ptr<RandomAccessFile>> Open(const std::string& path);
  virtual ~RandomAccessFile() = default;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  uint64_t size() const { return size_; }  // when it was opened
  const std::string& path() const { return path_; }
  // Whether the piece is within the file. Call it before allocating memory for the piece.
  bool Has(uint64_t offset, uint64_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }
  // DATA_LOSS if the file has fewer bytes.
  absl::Status ReadAt(uint64_t offset, uint64_t size, char* to) const;
  absl::StatusOr<std::string> ReadAt(uint64_t offset, uint64_t size) const;

 protected:
  RandomAccessFile(std::string path, uint64_t size) : path_(std::move(path)), size_(size) {}

 private:
  // Up to `size` bytes; 0 only at the end of the file.
  virtual absl::StatusOr<size_t> ReadSome(uint64_t offset, size_t size, char* to) const = 0;

  const std::string path_;
  const uint64_t size_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_RANDOM_ACCESS_FILE_H_
