// SPDX-License-Identifier: Apache-2.0
#include "core/io/local_file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "absl/strings/match.h"
#include "core/io/file_policy.h"
#include "core/io/glob.h"

namespace sluice {
namespace {

absl::Status FileError(const std::string& path, int error) {
  absl::StatusCode code = absl::ErrnoToStatusCode(error);
  if (error == EISDIR || error == ENOTDIR) code = absl::StatusCode::kFailedPrecondition;
  return MakeStatus(code, path, "; ", std::strerror(error));
}

absl::Status StatusOf(const std::string& path, int result) {
  return result == 0 ? absl::OkStatus() : FileError(path, errno);
}

// Does not wait for the other end of a pipe.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags)
      : fd_(open(LocalPath(path).c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0666)) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

class LocalInput final : public Input {
 public:
  explicit LocalInput(const std::string& path) : path_(path), file_(path, O_RDONLY) {}
  bool opened() const { return file_.get() >= 0; }
  // A pipe would block the thread, and a device may never end.
  absl::Status CheckRegular() const {
    struct stat info;
    if (fstat(file_.get(), &info) != 0) return FileError(path_, errno);
    // The error for a folder comes when it is read, as in TensorFlow.
    if (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) return absl::OkStatus();
    return FailedPrecondition(path_, "; Not a regular file");
  }
  const std::string& path() const override { return path_; }
  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    size_t got = 0;
    while (got < size) {
      const ssize_t n = read(file_.get(), to + got, size - got);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return FileError(path_, errno);
      if (n == 0) break;
      got += static_cast<size_t>(n);
    }
    return got;
  }

 private:
  const std::string path_;
  const Descriptor file_;
};

class LocalRandomAccessFile final : public RandomAccessFile {
 public:
  LocalRandomAccessFile(const std::string& path, uint64_t size, int fd)
      : RandomAccessFile(path, size), fd_(fd) {}
  ~LocalRandomAccessFile() override { close(fd_); }

 private:
  absl::StatusOr<size_t> ReadSome(uint64_t offset, size_t size, char* to) const override {
    while (true) {
      const ssize_t n = pread(fd_, to, size, static_cast<off_t>(offset));
      if (n >= 0) return static_cast<size_t>(n);
      if (errno != EINTR) return FileError(path(), errno);
    }
  }

  const int fd_;
};

class LocalOutput final : public OutputFile {
 public:
  LocalOutput(const std::string& path, int fd) : path_(path), fd_(fd) {}
  ~LocalOutput() override { Close().IgnoreError(); }

  absl::Status Consume(absl::string_view* bytes) override {
    while (!bytes->empty()) {
      const ssize_t n = write(fd_, bytes->data(), bytes->size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return FileError(path_, errno);
      bytes->remove_prefix(static_cast<size_t>(n));
    }
    return absl::OkStatus();
  }
  absl::Status Close() override {
    if (fd_ < 0) return absl::OkStatus();
    return StatusOf(path_, close(std::exchange(fd_, -1)));
  }

 private:
  const std::string path_;
  int fd_;
};

int FlagsOf(WriteMode mode) {
  switch (mode) {
    case WriteMode::kReplace:
      return O_TRUNC;
    case WriteMode::kNew:
      return O_EXCL;
    case WriteMode::kAppend:
      return O_APPEND;
  }
  return 0;
}

// The folder of a pattern that no match can leave.
absl::string_view FixedPart(absl::string_view pattern) {
  const absl::string_view fixed = pattern.substr(0, pattern.find_first_of("*?[\\"));
  const size_t slash = fixed.rfind('/');
  if (fixed.size() == pattern.size()) return pattern;
  if (slash == absl::string_view::npos) return ".";
  return fixed.substr(0, std::max<size_t>(slash, 1));
}

class LocalFileSystem final : public FileSystem {
 public:
  absl::StatusOr<std::unique_ptr<Input>> OpenInput(const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kRead));
    auto file = std::make_unique<LocalInput>(path);
    if (!file->opened()) return FileError(path, errno);
    SLUICE_RETURN_IF_ERROR(file->CheckRegular());
    return std::unique_ptr<Input>(std::move(file));
  }

  absl::StatusOr<std::unique_ptr<RandomAccessFile>> OpenRandomAccess(
      const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kRead));
    Descriptor file(path, O_RDONLY);
    if (file.get() < 0) return FileError(path, errno);
    struct stat info = {};
    if (fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
      return FailedPrecondition(path, "; Not a regular file");
    const auto size = static_cast<uint64_t>(info.st_size);
    return std::make_unique<LocalRandomAccessFile>(path, size, file.Release());
  }

  absl::StatusOr<std::unique_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                         WriteMode mode) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kWrite));
    Descriptor file(path, O_WRONLY | O_CREAT | FlagsOf(mode));
    if (file.get() < 0) return FileError(path, errno);
    return std::make_unique<LocalOutput>(path, file.Release());
  }

  absl::StatusOr<FileInfo> Describe(const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kRead));
    struct stat info;
    if (stat(LocalPath(path).c_str(), &info) != 0) return FileError(path, errno);
    constexpr int64_t kNanoseconds = 1'000'000'000;
    return FileInfo{.size = static_cast<uint64_t>(info.st_size),
                    .modified_ns = info.st_mtim.tv_sec * kNanoseconds + info.st_mtim.tv_nsec,
                    .folder = S_ISDIR(info.st_mode)};
  }

  absl::Status MakeFolder(const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kWrite));
    return StatusOf(path, mkdir(LocalPath(path).c_str(), 0777));
  }
  absl::Status RemoveFile(const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kWrite));
    return StatusOf(path, unlink(LocalPath(path).c_str()));
  }
  absl::Status RemoveEmptyFolder(const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kWrite));
    return StatusOf(path, rmdir(LocalPath(path).c_str()));
  }
  absl::Status RemoveFolderWithContents(const std::string& path) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(path, FileAccess::kWrite));
    SLUICE_ASSIGN(const FileInfo info, Describe(path));
    if (!info.folder) return FileError(path, ENOTDIR);
    std::error_code error;
    std::filesystem::remove_all(LocalPath(path), error);  // does not follow links
    return error ? FileError(path, error.value()) : absl::OkStatus();
  }
  absl::Status Rename(const std::string& from, const std::string& to) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(from, FileAccess::kWrite));
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(to, FileAccess::kWrite));
    return StatusOf(from, std::rename(LocalPath(from).c_str(), LocalPath(to).c_str()));
  }

  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(folder, FileAccess::kRead));
    std::error_code error;
    std::vector<std::string> names;
    std::filesystem::directory_iterator entry(LocalPath(folder), error), end;
    for (; !error && entry != end; entry.increment(error))
      names.push_back(entry->path().filename().string());
    if (error) return FileError(folder, error.value());
    return names;
  }

  // The matches have the pattern's prefix, with or without a scheme.
  absl::StatusOr<std::vector<std::string>> Match(const std::string& pattern) override {
    SLUICE_RETURN_IF_ERROR(CheckFileAccess(FixedPart(pattern), FileAccess::kRead));
    const std::string local = LocalPath(pattern);
    const std::string scheme = pattern.substr(0, pattern.size() - local.size());
    SLUICE_ASSIGN(const std::vector<std::string> found, Glob(local));
    std::vector<std::string> paths;
    for (const std::string& path : found) {
      const absl::string_view name = absl::string_view(path).substr(path.rfind('/') + 1);
      if (name != "." && name != ".." && CheckFileAccess(path, FileAccess::kRead).ok())
        paths.push_back(absl::StrCat(scheme, path));
    }
    return paths;
  }
};

}  // namespace

std::unique_ptr<FileSystem> CreateLocalFileSystem() { return std::make_unique<LocalFileSystem>(); }

std::string LocalPath(absl::string_view path) {
  constexpr absl::string_view kPrefix = "file://";
  if (!absl::StartsWith(path, kPrefix)) return std::string(path);
  const size_t host_end = path.find('/', kPrefix.size());
  return std::string(host_end == absl::string_view::npos ? "/" : path.substr(host_end));
}

}  // namespace sluice
