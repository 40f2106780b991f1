#include "core/io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <random>

#include "core/io/file.h"

namespace sluice {

AtomicFile::AtomicFile(std::string path, std::string temporary, int fd)
    : path_(std::move(path)), temporary_(std::move(temporary)), fd_(fd) {
  buffer_.reserve(kBufferSize);
}

absl::StatusOr<std::unique_ptr<AtomicFile>> AtomicFile::Create(const std::string& path) {
  const std::string local = LocalPath(path);
  std::random_device device;
  const uint64_t random = uint64_t{device()} << 32 | device();
  std::string temporary = absl::StrCat(local, ".tempstate", random);
  const int fd = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0) return FileError(temporary, errno);
  return std::unique_ptr<AtomicFile>(new AtomicFile(local, std::move(temporary), fd));
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) close(fd_);
  if (!committed_) unlink(temporary_.c_str());
}

absl::Status AtomicFile::Append(absl::string_view bytes) {
  size_ += bytes.size();
  if (buffer_.size() + bytes.size() > kBufferSize) SLUICE_RETURN_IF_ERROR(Flush());
  if (bytes.size() >= kBufferSize) return Write(bytes);
  buffer_.append(bytes.data(), bytes.size());
  return absl::OkStatus();
}

absl::Status AtomicFile::Flush() {
  SLUICE_RETURN_IF_ERROR(Write(buffer_));
  buffer_.clear();
  return absl::OkStatus();
}

absl::Status AtomicFile::Write(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(temporary_, errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

absl::Status AtomicFile::Close() {
  if (fd_ < 0) return absl::OkStatus();
  SLUICE_RETURN_IF_ERROR(Flush());
  const int result = close(fd_);
  fd_ = -1;
  return result == 0 ? absl::OkStatus() : FileError(temporary_, errno);
}

absl::Status AtomicFile::Commit() {
  SLUICE_RETURN_IF_ERROR(Close());
  SLUICE_RETURN_IF_ERROR(RenameFile(temporary_, path_));
  committed_ = true;
  return absl::OkStatus();
}

absl::Status RenameFile(const std::string& from, const std::string& to) {
  if (std::rename(LocalPath(from).c_str(), LocalPath(to).c_str()) == 0) return absl::OkStatus();
  return FileError(from, errno);
}

absl::Status RemoveFile(const std::string& path) {
  return unlink(LocalPath(path).c_str()) == 0 ? absl::OkStatus() : FileError(path, errno);
}

absl::Status RemoveEmptyFolder(const std::string& path) {
  return rmdir(LocalPath(path).c_str()) == 0 ? absl::OkStatus() : FileError(path, errno);
}

bool FileExists(const std::string& path) { return access(LocalPath(path).c_str(), F_OK) == 0; }

}  // namespace sluice
