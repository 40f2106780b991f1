// SPDX-License-Identifier: Apache-2.0
#include "core/io/random_access_file.h"

#include "core/io/file_system.h"

namespace sluice {

absl::StatusOr<std::unique_ptr<RandomAccessFile>> RandomAccessFile::Open(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->OpenRandomAccess(path);
}

absl::Status RandomAccessFile::ReadAt(uint64_t offset, uint64_t size, char* to) const {
  if (!Has(offset, size)) {
    return DataLoss(path_, " has ", size_, " bytes, but those from ", offset, " to ", offset + size,
                    " are wanted: it is cut off or damaged");
  }
  while (size > 0) {
    SLUICE_ASSIGN(const size_t n, ReadSome(offset, size, to));
    if (n == 0) return DataLoss(path_, " became shorter while it was read");
    to += n;
    offset += n;
    size -= n;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> RandomAccessFile::ReadAt(uint64_t offset, uint64_t size) const {
  std::string bytes;
  if (Has(offset, size)) bytes.resize(size);
  SLUICE_RETURN_IF_ERROR(ReadAt(offset, size, bytes.data()));
  return bytes;
}

}  // namespace sluice
