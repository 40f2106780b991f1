// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_SANITIZE_PLAIN_ABSL_H_
#define SLUICE_TESTS_SANITIZE_PLAIN_ABSL_H_

// For units with AddressSanitizer in a program whose other units have none: Abseil's tables tell
// ASan which slots are free, but code without ASan fills them too. Here Abseil knows of no ASan.

#pragma push_macro("__SANITIZE_ADDRESS__")
#undef __SANITIZE_ADDRESS__
#include "absl/base/config.h"
#pragma pop_macro("__SANITIZE_ADDRESS__")

#endif  // SLUICE_TESTS_SANITIZE_PLAIN_ABSL_H_
