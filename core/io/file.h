// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_FILE_H_
#define SLUICE_CORE_IO_FILE_H_

#include <memory>
#include <string>
#include <vector>

#include "core/io/file_system.h"
#include "core/io/input.h"

namespace sluice {

// Files by path, on any file system. file_system.h describes the errors.

absl::StatusOr<std::unique_ptr<Input>> OpenFile(const std::string& path);
absl::StatusOr<std::unique_ptr<OutputFile>> CreateFile(const std::string& path, WriteMode mode);
// A file that compresses what is appended, as one stream. Close ends the stream; without it, the
// file is cut off.
std::unique_ptr<OutputFile> Compressed(std::unique_ptr<OutputFile> to, Compression how);
absl::StatusOr<std::string> ReadFile(const std::string& path);
// Replaces an existing file. Creates missing folders of the path.
absl::Status WriteFile(const std::string& path, absl::string_view contents);
absl::Status CopyFile(const std::string& from, const std::string& to);

absl::StatusOr<FileInfo> DescribeFile(const std::string& path);
absl::StatusOr<bool> FileExists(const std::string& path);  // also true for a folder
// Renames, and replaces an existing file. Both paths must be on one file system.
absl::Status RenameFile(const std::string& from, const std::string& to);
absl::Status RemoveFile(const std::string& path);
absl::Status RemoveEmptyFolder(const std::string& path);
absl::Status RemoveFolderWithContents(const std::string& path);

absl::Status MakeNewFolder(const std::string& path);
// Existing folders are not an error for these functions.
absl::Status MakeFolder(const std::string& path);
absl::Status MakeFolders(const std::string& path);       // and all its parents
absl::Status MakeFoldersAbove(const std::string& path);  // all parents
absl::Status MakeFolderOf(const std::string& path);      // only the parent
// The sorted names of a folder's entries.
absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path);
// The files that match a pattern with *, ? and [...], sorted; empty if there are none.
absl::StatusOr<std::vector<std::string>> MatchingFiles(const std::string& pattern);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_FILE_H_
