// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_ATOMIC_FILE_H_
#define SLUICE_CORE_IO_ATOMIC_FILE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "core/io/file_system.h"

namespace sluice {

// An AtomicFile is a file that is written under a temporary name beside its own. `path` holds
// either the old content or the complete new one. Without Commit, no file is left.
//
// Threads:  one at a time.
class AtomicFile {
 public:
  static absl::StatusOr<std::unique_ptr<AtomicFile>> Create(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  absl::Status Append(absl::string_view bytes);
  uint64_t size() const { return size_; }  // bytes appended so far
  // Writes all data under the temporary name.
  absl::Status Close();
  // Closes the file and renames it to its path.
  absl::Status Commit();

 private:
  AtomicFile(std::string path, std::string temporary, std::unique_ptr<OutputFile> file);
  absl::Status Flush();

  static constexpr size_t kBufferSize = 256 << 10;

  const std::string path_, temporary_;
  std::unique_ptr<OutputFile> file_;  // null after Close
  bool committed_ = false;
  uint64_t size_ = 0;
  std::string buffer_;
};

}  // namespace sluice

#endif  // SLUICE_CORE_IO_ATOMIC_FILE_H_
