// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_policy.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "core/io/local_file_system.h"

namespace sluice {
namespace {

namespace fs = std::filesystem;

template <typename... Parts>
absl::Status Denied(const Parts&... parts) {
  return MakeStatus(absl::StatusCode::kPermissionDenied, parts...);
}

FilePolicy policy;
fs::path root;  // without links; empty: everywhere

bool Within(const fs::path& path) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

// The file that the system would open. A link to a file that does not exist is refused: the new
// file could be anywhere.
absl::StatusOr<fs::path> Resolve(const fs::path& path) {
  std::error_code error;
  const fs::path absolute = fs::absolute(path, error);
  if (!error && fs::is_symlink(absolute, error) && !fs::exists(absolute, error))
    return Denied(path.string(), "; a link that leads nowhere (--file_root)");
  const fs::path resolved = fs::weakly_canonical(absolute, error);
  if (error) return Denied(path.string(), "; ", error.message(), " (--file_root)");
  return resolved;
}

}  // namespace

absl::Status SetFilePolicy(const FilePolicy& wanted) {
  fs::path resolved;
  if (!wanted.root.empty()) {
    std::error_code error;
    resolved = fs::canonical(wanted.root, error);
    if (error || !fs::is_directory(resolved, error))
      return InvalidArgument("--file_root: \"", wanted.root, "\" is not a folder");
  }
  policy = wanted;
  root = resolved;
  return absl::OkStatus();
}

absl::Status CheckFileAccess(absl::string_view path, FileAccess wanted) {
  if (policy.access < wanted) {
    const bool none = policy.access == FileAccess::kNone;
    return Denied(path, "; this server ", none ? "uses no files" : "writes no files",
                  " (--file_access=", none ? "none" : "read", ")");
  }
  if (root.empty()) return absl::OkStatus();
  SLUICE_ASSIGN(const fs::path file, Resolve(LocalPath(path)));
  if (Within(file)) return absl::OkStatus();
  return Denied(path, "; this server uses files below ", root.string(), " only (--file_root)");
}

}  // namespace sluice
