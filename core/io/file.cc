#include "core/io/file.h"

#include <fcntl.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace sluice {

std::string LocalPath(absl::string_view path) {
  absl::ConsumePrefix(&path, "file://");
  return std::string(path);
}

absl::Status FileError(const std::string& path, int error) {
  absl::StatusCode code = absl::ErrnoToStatusCode(error);
  if (error == EISDIR || error == ENOTDIR) code = absl::StatusCode::kFailedPrecondition;
  return MakeStatus(code, path, "; ", std::strerror(error));
}

namespace {

absl::Status MakeFolder(const std::string& folder) {
  if (mkdir(folder.c_str(), 0777) == 0 || errno == EEXIST) return absl::OkStatus();
  return FileError(folder, errno);
}

}  // namespace

absl::Status MakeFolders(const std::string& path) {
  for (size_t at = path.find('/', 1); at != std::string::npos; at = path.find('/', at + 1))
    SLUICE_RETURN_IF_ERROR(MakeFolder(path.substr(0, at)));
  return absl::OkStatus();
}

absl::Status MakeFolderOf(const std::string& path) {
  const size_t at = path.rfind('/');
  return at == std::string::npos || at == 0 ? absl::OkStatus() : MakeFolder(path.substr(0, at));
}

namespace {

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
  int fd() const { return fd_; }

 private:
  const int fd_;
};

class FileInput final : public Input {
 public:
  explicit FileInput(const std::string& path) : path_(path), file_(path, O_RDONLY) {}
  bool opened() const { return file_.fd() >= 0; }
  // A pipe would hold the thread, a device may never end.
  absl::Status CheckRegular() const {
    struct stat info;
    if (fstat(file_.fd(), &info) != 0) return FileError(path_, errno);
    // A folder says so when it is read, as in TensorFlow.
    if (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) return absl::OkStatus();
    return MakeStatus(absl::StatusCode::kFailedPrecondition, path_, "; Not a regular file");
  }
  const std::string& path() const override { return path_; }
  absl::StatusOr<size_t> Read(char* to, size_t size) override {
    size_t got = 0;
    while (got < size) {
      const ssize_t n = read(file_.fd(), to + got, size - got);
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

}  // namespace

absl::StatusOr<std::unique_ptr<Input>> OpenFile(const std::string& path) {
  auto file = std::make_unique<FileInput>(path);
  if (!file->opened()) return FileError(path, errno);
  SLUICE_RETURN_IF_ERROR(file->CheckRegular());
  return std::unique_ptr<Input>(std::move(file));
}

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  SLUICE_ASSIGN(std::unique_ptr<Input> file, OpenFile(path));
  constexpr size_t kChunk = 1 << 20;
  std::string contents;
  for (size_t got = kChunk; got == kChunk;) {
    const size_t before = contents.size();
    contents.resize(before + kChunk);
    SLUICE_ASSIGN(got, file->Read(contents.data() + before, kChunk));
    contents.resize(before + got);
  }
  return contents;
}

absl::Status WriteFile(const std::string& path, absl::string_view contents) {
  SLUICE_RETURN_IF_ERROR(MakeFolders(LocalPath(path)));
  const Descriptor file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (file.fd() < 0) return FileError(path, errno);
  while (!contents.empty()) {
    const ssize_t n = write(file.fd(), contents.data(), contents.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError(path, errno);
    contents.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> MatchingFiles(const std::string& pattern) {
  const std::string local = LocalPath(pattern);
  glob_t found = {};
  const int result = glob(local.c_str(), GLOB_PERIOD, nullptr, &found);
  std::vector<std::string> paths;
  for (size_t i = 0; result == 0 && i < found.gl_pathc; ++i) {
    const absl::string_view path = found.gl_pathv[i];
    const absl::string_view name = path.substr(path.rfind('/') + 1);
    if (name != "." && name != "..") paths.emplace_back(path);
  }
  globfree(&found);
  if (result == GLOB_NOSPACE) return ResourceExhausted("too many files match ", pattern);
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace sluice
