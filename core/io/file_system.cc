// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_system.h"

#include <map>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/synchronization/mutex.h"
#include "core/io/local_file_system.h"

namespace sluice {
namespace {

// The file system of each scheme. A path without a scheme is a file of this machine. Entries are
// never removed.
class FileSystems {
 public:
  FileSystems() { files_["file"] = CreateLocalFileSystem(); }
  FileSystem* Find(absl::string_view scheme) {
    absl::MutexLock lock(&mu_);
    const auto at = files_.find(scheme.empty() ? "file" : std::string(scheme));
    return at == files_.end() ? nullptr : at->second.get();
  }
  bool Add(const std::string& scheme, std::unique_ptr<FileSystem> files) {
    absl::MutexLock lock(&mu_);
    return files_.try_emplace(scheme, std::move(files)).second;
  }

 private:
  absl::Mutex mu_;
  std::map<std::string, std::unique_ptr<FileSystem>> files_ ABSL_GUARDED_BY(mu_);
};

FileSystems& AllFileSystems() {
  static auto* const all = new FileSystems;
  return *all;
}

}  // namespace

absl::string_view SchemeOf(absl::string_view path) {
  size_t end = 0;
  while (end < path.size() && (absl::ascii_isalnum(path[end]) || (path[end] == '.' && end > 0)))
    ++end;
  const bool is_scheme =
      end > 0 && absl::ascii_isalpha(path[0]) && absl::StartsWith(path.substr(end), "://");
  return path.substr(0, is_scheme ? end : 0);
}

absl::StatusOr<FileSystem*> FileSystemOf(absl::string_view path) {
  const absl::string_view scheme = SchemeOf(path);
  if (FileSystem* files = AllFileSystems().Find(scheme)) return files;
  return Unimplemented("File system scheme '", scheme, "' not implemented (file: '", path, "')");
}

absl::Status RegisterFileSystem(const std::string& scheme, std::unique_ptr<FileSystem> files) {
  if (AllFileSystems().Add(scheme, std::move(files))) return absl::OkStatus();
  return MakeStatus(absl::StatusCode::kAlreadyExists, "the scheme '", scheme,
                    "' has a file system already");
}

}  // namespace sluice
