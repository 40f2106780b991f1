// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"

#include <algorithm>

namespace sluice {
namespace {

// Where the folders of a path begin: behind its scheme and host.
size_t FirstFolder(const std::string& path) {
  const size_t scheme = SchemeOf(path).size();
  if (scheme == 0) return 0;
  constexpr size_t kSeparator = 3;  // "://"
  return std::min(path.find('/', scheme + kSeparator), path.size());
}

absl::StatusOr<std::vector<std::string>> Sorted(absl::StatusOr<std::vector<std::string>> names) {
  if (names.ok()) std::sort(names->begin(), names->end());
  return names;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Input>> OpenFile(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->OpenInput(path);
}

absl::StatusOr<std::unique_ptr<OutputFile>> CreateFile(const std::string& path, WriteMode mode) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->OpenOutput(path, mode);
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
  SLUICE_RETURN_IF_ERROR(MakeFoldersAbove(path));
  SLUICE_ASSIGN(std::unique_ptr<OutputFile> file, CreateFile(path, WriteMode::kReplace));
  SLUICE_RETURN_IF_ERROR(file->Append(contents));
  return file->Close();
}

absl::Status CopyFile(const std::string& from, const std::string& to) {
  SLUICE_ASSIGN(std::unique_ptr<Input> source, OpenFile(from));
  SLUICE_ASSIGN(std::unique_ptr<OutputFile> target, CreateFile(to, WriteMode::kReplace));
  std::string chunk(1 << 20, '\0');
  while (true) {
    SLUICE_ASSIGN(const size_t got, source->Read(chunk.data(), chunk.size()));
    SLUICE_RETURN_IF_ERROR(target->Append(absl::string_view(chunk).substr(0, got)));
    if (got < chunk.size()) return target->Close();
  }
}

absl::StatusOr<FileInfo> DescribeFile(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->Describe(path);
}

absl::StatusOr<bool> FileExists(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->Describe(path).ok();
}

absl::Status RenameFile(const std::string& from, const std::string& to) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(from));
  SLUICE_ASSIGN(FileSystem * others, FileSystemOf(to));
  if (files != others)
    return Unimplemented("renaming ", from, " to ", to, " would cross file systems");
  return files->Rename(from, to);
}

absl::Status RemoveFile(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->RemoveFile(path);
}

absl::Status RemoveEmptyFolder(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->RemoveEmptyFolder(path);
}

absl::Status RemoveFolderWithContents(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->RemoveFolderWithContents(path);
}

absl::Status MakeNewFolder(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return files->MakeFolder(path);
}

absl::Status MakeFolder(const std::string& path) {
  absl::Status status = MakeNewFolder(path);
  if (!absl::IsAlreadyExists(status)) return status;
  const auto info = DescribeFile(path);
  if (!info.ok()) return status;
  return info->folder ? absl::OkStatus() : FailedPrecondition(path, " is not a directory");
}

absl::Status MakeFoldersAbove(const std::string& path) {
  SLUICE_RETURN_IF_ERROR(FileSystemOf(path).status());
  for (size_t at = path.find('/', FirstFolder(path) + 1); at != std::string::npos;
       at = path.find('/', at + 1))
    SLUICE_RETURN_IF_ERROR(MakeFolder(path.substr(0, at)));
  return absl::OkStatus();
}

absl::Status MakeFolders(const std::string& path) { return MakeFoldersAbove(path + "/"); }

absl::Status MakeFolderOf(const std::string& path) {
  SLUICE_RETURN_IF_ERROR(FileSystemOf(path).status());
  const size_t at = path.rfind('/');
  if (at == std::string::npos || at <= FirstFolder(path)) return absl::OkStatus();
  return MakeFolder(path.substr(0, at));
}

absl::StatusOr<std::vector<std::string>> ListFolder(const std::string& path) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(path));
  return Sorted(files->List(path));
}

absl::StatusOr<std::vector<std::string>> MatchingFiles(const std::string& pattern) {
  SLUICE_ASSIGN(FileSystem * files, FileSystemOf(pattern));
  return Sorted(files->Match(pattern));
}

}  // namespace sluice
