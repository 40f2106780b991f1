#ifndef SLUICE_CORE_IO_FILE_H_
#define SLUICE_CORE_IO_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "core/io/input.h"

namespace sluice {

// Files of the machine, by path ("file://" before it is dropped). Errors read
// "<path>; <what errno says>": NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION for a folder.

absl::StatusOr<std::unique_ptr<Input>> OpenFile(const std::string& path);
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Replaces what is there; makes the folders that lead to it.
absl::Status WriteFile(const std::string& path, absl::string_view contents);
// What the functions above are made of: the path without "file://"; the error of an errno; the
// folders that lead to a local path, made, or the last of them only.
std::string LocalPath(absl::string_view path);
absl::Status FileError(const std::string& path, int error);
absl::Status MakeFolders(const std::string& path);
absl::Status MakeFolderOf(const std::string& path);
// The files that a pattern with *, ? and [...] names, sorted; none if there is none.
absl::StatusOr<std::vector<std::string>> MatchingFiles(const std::string& pattern);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_FILE_H_
