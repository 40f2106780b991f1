#ifndef SLUICE_CORE_IO_RANDOM_ACCESS_FILE_H_
#define SLUICE_CORE_IO_RANDOM_ACCESS_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/status.h"

namespace sluice {

// A RandomAccessFile reads pieces of a file.
//
// Threads:  any.
class RandomAccessFile {
 public:
  static absl::StatusOr<std::unique_ptr<RandomAccessFile>> Open(const std::string& path);
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  uint64_t size() const { return size_; }  // when it was opened
  const std::string& path() const { return path_; }
  // Is the piece within the file? Ask before memory is made for it.
  bool Has(uint64_t offset, uint64_t size) const {
    return offset <= size_ && size <= size_ - offset;
  }
  // DATA_LOSS when the file has fewer bytes.
  absl::Status ReadAt(uint64_t offset, uint64_t size, char* to) const;
  absl::StatusOr<std::string> ReadAt(uint64_t offset, uint64_t size) const;

 private:
  RandomAccessFile(std::string path, int fd, uint64_t size)
      : path_(std::move(path)), fd_(fd), size_(size) {}

  const std::string path_;
  const int fd_;
  const uint64_t size_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_RANDOM_ACCESS_FILE_H_
