// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_UTF8_H_
#define SLUICE_CORE_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"

namespace sluice {

// `text` with each byte that is not part of a UTF-8 character replaced by \xHH. Error messages
// quote fed data, and a protobuf string of a client accepts only UTF-8.
std::string AsUtf8(absl::string_view text);

}  // namespace sluice

#endif  // SLUICE_CORE_UTF8_H_
