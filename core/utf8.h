// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_UTF8_H_
#define SLUICE_CORE_UTF8_H_

#include <string>

#include "absl/strings/string_view.h"

namespace sluice {

// `text` as it is where it is UTF-8; a byte that belongs to no character becomes \xHH. Messages of
// errors quote what programs feed, and a protobuf string of a client takes UTF-8 alone.
std::string AsUtf8(absl::string_view text);

}  // namespace sluice

#endif  // SLUICE_CORE_UTF8_H_
