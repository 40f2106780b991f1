// SPDX-License-Identifier: Apache-2.0
// Lower case and upper case of whole texts.
#ifndef SLUICE_KERNELS_ANY_STRINGS_UNICODE_CASE_H_
#define SLUICE_KERNELS_ANY_STRINGS_UNICODE_CASE_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace sluice::kernels {

// A letter may become several ("ß" is "SS"), and a small sigma depends on its position in the word.
// There are no rules for single languages. Source: the Unicode Character Database, version 14.
std::vector<int32_t> Lower(absl::Span<const int32_t> text);
std::vector<int32_t> Upper(absl::Span<const int32_t> text);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_STRINGS_UNICODE_CASE_H_
