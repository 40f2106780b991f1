// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_FILE_H_
#define SLUICE_CORE_IO_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "core/io/file_system.h"
#include "core/io/input.h"

namespace sluice {

// Files by path, whichever file system has them; file_system.h says what errors read like.

absl::StatusOr<std::unique_ptr<Input>> OpenFile(const std::string& path);
absl::StatusOr<std::unique_ptr<OutputFile>> CreateFile(const std::string& path, WriteMode mode);
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Replaces what is there; makes the folders that lead to it.
absl::Status WriteFile(const std::string& path, absl::string_view contents);
absl::Status CopyFile(const std::string& from, const std::string& to);

absl::StatusOr<FileInfo> DescribeFile(const std::string& path);
absl::StatusOr<bool> FileExists(const std::string& path);  // a folder does too
// Renames, replacing what is there. Both paths must be of one file system.
absl::Status RenameFile(const std::string& from, const std::string& to);
absl::Status RemoveFile(const std::string& path);
absl::Status RemoveEmptyFolder(const std::string& path);
absl::Status RemoveFolderWithContents(const std::string& path);

absl::Status MakeNewFolder(const std::string& path);
// Folders that are there already are not an error for these.
absl::Status MakeFolder(const std::string& path);
absl::Status MakeFolders(const std::string& path);       // and those that lead to it
absl::Status MakeFoldersAbove(const std::string& path);  // all those that lead to it
absl::Status MakeFolderOf(const std::string& path);      // the last of these only
// The sorted names of what is in a folder.
absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path);
// The files that a pattern with *, ? and [...] names, sorted; none if there is none.
absl::StatusOr<std::vector<std::string>> MatchingFiles(const std::string& pattern);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_FILE_H_
