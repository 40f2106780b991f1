// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_PATHS_H_
#define SLUICE_TESTS_PATHS_H_

#include <string>

#include "absl/strings/string_view.h"

namespace sluice {

// Absolute paths of files of the repository and of its build, from paths below them. Only one unit
// knows where they lie, so that the compiler's cache serves every checkout.
std::string SourcePath(absl::string_view path);
std::string BuiltPath(absl::string_view path);

}  // namespace sluice

#endif  // SLUICE_TESTS_PATHS_H_
