// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_ABSENT_OPS_H_
#define SLUICE_SERVER_ABSENT_OPS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace sluice::server {

// The ops of these names, which have no kernel, as a list with the reason for each. Names without a
// reason come last, under "no reason".
std::string ReasonsOf(const std::vector<absl::string_view>& without_kernel);

}  // namespace sluice::server

#endif  // SLUICE_SERVER_ABSENT_OPS_H_
