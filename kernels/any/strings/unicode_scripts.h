// SPDX-License-Identifier: Apache-2.0
// Scripts of Unicode's code points.
#ifndef SLUICE_KERNELS_ANY_STRINGS_UNICODE_SCRIPTS_H_
#define SLUICE_KERNELS_ANY_STRINGS_UNICODE_SCRIPTS_H_

#include <cstdint>

namespace sluice::kernels {

// The script of a code point by ICU's number (UScriptCode): 25 is Latin, 103 unknown; -1 for an
// invalid code point. Source: the Unicode Character Database, version 15.
int32_t ScriptOf(int32_t code_point);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_STRINGS_UNICODE_SCRIPTS_H_
