#include "core/io/random_access_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "core/io/file.h"

namespace sluice {

absl::StatusOr<std::unique_ptr<RandomAccessFile>> RandomAccessFile::Open(const std::string& path) {
  const int fd = open(LocalPath(path).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return FileError(path, errno);
  struct stat info = {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    return FailedPrecondition(path, "; Not a regular file");
  }
  return std::unique_ptr<RandomAccessFile>(
      new RandomAccessFile(path, fd, static_cast<uint64_t>(info.st_size)));
}

RandomAccessFile::~RandomAccessFile() { close(fd_); }

absl::Status RandomAccessFile::ReadAt(uint64_t offset, uint64_t size, char* to) const {
  if (!Has(offset, size)) {
    return DataLoss(path_, " has ", size_, " bytes, but those from ", offset, " to ", offset + size,
                    " are wanted: it is cut off or damaged");
  }
  while (size > 0) {
    const ssize_t n = pread(fd_, to, size, static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(path_, errno);
    if (n == 0) return DataLoss(path_, " became shorter while it was read");
    to += n;
    offset += static_cast<uint64_t>(n);
    size -= static_cast<uint64_t>(n);
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
