// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_FILE_POLICY_H_
#define SLUICE_CORE_IO_FILE_POLICY_H_

#include <string>

#include "core/status.h"

namespace sluice {

enum class FileAccess { kNone, kRead, kWrite };  // each includes those before

// Which files of this machine ops may use. Whoever may call the server chooses the ops.
struct FilePolicy {
  FileAccess access = FileAccess::kWrite;
  std::string root = {};  // files below this folder only; empty: everywhere
};

// For the whole process. Call it before other threads open files. INVALID_ARGUMENT unless the root
// is a folder.
absl::Status SetFilePolicy(const FilePolicy& policy);

// PERMISSION_DENIED if the policy forbids it, with the path and the option that does. Links and
// ".." are followed first.
absl::Status CheckFileAccess(absl::string_view path, FileAccess wanted);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_FILE_POLICY_H_
