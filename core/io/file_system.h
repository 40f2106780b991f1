// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_FILE_SYSTEM_H_
#define SLUICE_CORE_IO_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/io/input.h"
#include "core/io/random_access_file.h"

namespace sluice {

// An OutputFile is a file that is written from beginning to end.
//
// Threads:  one at a time.
class OutputFile {
 public:
  virtual ~OutputFile() = default;  // closes
  // Writes `bytes` without buffering. After an error, *bytes holds the bytes that were not written.
  virtual absl::Status Consume(absl::string_view* bytes) = 0;
  absl::Status Append(absl::string_view bytes) { return Consume(&bytes); }
  virtual absl::Status Close() = 0;
};

enum class WriteMode {
  kReplace,  // an existing file becomes empty
  kNew,      // ALREADY_EXISTS if the file exists
  kAppend,   // after the existing content
};

struct FileInfo {
  uint64_t size = 0;        // bytes
  int64_t modified_ns = 0;  // since 1970
  bool folder = false;
};

// A FileSystem holds the files of one scheme, the word before "://" in a path. Every operation on
// files in core/io/, in kernels and in the Python client uses one. To support another scheme,
// derive a class and register it.
//
// Paths:    complete, with their scheme.
// Threads:  any.
// Errors:   "<path>; <reason>": NOT_FOUND, ALREADY_EXISTS, PERMISSION_DENIED, FAILED_PRECONDITION
//           for a folder where a file is needed, and for a file where a folder is.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual absl::StatusOr<std::unique_ptr<Input>> OpenInput(const std::string& path) = 0;
  virtual absl::StatusOr<std::unique_ptr<RandomAccessFile>> OpenRandomAccess(
      const std::string& path) = 0;
  virtual absl::StatusOr<std::unique_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                                 WriteMode mode) = 0;
  virtual absl::StatusOr<FileInfo> Describe(const std::string& path) = 0;
  virtual absl::Status MakeFolder(const std::string& path) = 0;
  virtual absl::Status RemoveFile(const std::string& path) = 0;
  virtual absl::Status RemoveEmptyFolder(const std::string& path) = 0;
  virtual absl::Status RemoveFolderWithContents(const std::string& path) = 0;
  // Replaces an existing file. Both paths are on this file system.
  virtual absl::Status Rename(const std::string& from, const std::string& to) = 0;
  // The names of a folder's entries, in no order.
  virtual absl::StatusOr<std::vector<std::string>> List(const std::string& folder) = 0;
  // The complete paths that a pattern with *, ? and [...] matches, in no order.
  virtual absl::StatusOr<std::vector<std::string>> Match(const std::string& pattern) = 0;
};

// "s3" for "s3://bucket/x"; empty for a path without a scheme, which is on this machine.
absl::string_view SchemeOf(absl::string_view path);
// The file system of a path's scheme; the local one for no scheme and for "file". It is never
// destroyed. UNIMPLEMENTED names an unknown scheme.
absl::StatusOr<FileSystem*> FileSystemOf(absl::string_view path);
// ALREADY_EXISTS if the scheme already has a file system.
absl::Status RegisterFileSystem(const std::string& scheme, std::unique_ptr<FileSystem> files);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_FILE_SYSTEM_H_
