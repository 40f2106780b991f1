// SPDX-License-Identifier: Apache-2.0
#include "tests/paths.h"

#include "absl/strings/str_cat.h"

namespace sluice {

std::string SourcePath(absl::string_view path) {
  return absl::StrCat(SLUICE_SOURCE_DIR, "/", path);
}

std::string BuiltPath(absl::string_view path) { return absl::StrCat(SLUICE_BUILD_DIR, "/", path); }

}  // namespace sluice
