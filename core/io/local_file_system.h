// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_IO_LOCAL_FILE_SYSTEM_H_
#define SLUICE_CORE_IO_LOCAL_FILE_SYSTEM_H_

#include <memory>
#include <string>

#include "core/io/file_system.h"

namespace sluice {

// The files of this machine: paths without a scheme, and "file://[host]/...", whose host is ignored.
std::unique_ptr<FileSystem> CreateLocalFileSystem();

// The path for the system: without "file://" and host.
std::string LocalPath(absl::string_view path);

}  // namespace sluice

#endif  // SLUICE_CORE_IO_LOCAL_FILE_SYSTEM_H_
