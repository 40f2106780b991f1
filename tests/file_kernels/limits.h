// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_FILE_KERNELS_LIMITS_H_
#define SLUICE_TESTS_FILE_KERNELS_LIMITS_H_

#include <string>

#include "absl/time/time.h"

namespace sluice::kernels {

// Limits of one input, which the process does not survive to exceed. It then prints the name of the
// input and writes its bytes to a file. The same happens if it ends for another reason: a signal, a
// report of a sanitizer.
//
// Threads:  one at a time.
struct InputLimits {
  absl::Duration time = absl::Seconds(60);
  int64_t memory = int64_t{1} << 30;  // that is resident, beyond what was so at the first input
};

void BeginInput(const InputLimits& limits, const std::string& name, const std::string& bytes);
void EndInput();

// The byte that new memory of malloc holds from now on. A sanitizer's is not changed.
void FillNewMemory(int byte);

}  // namespace sluice::kernels

#endif  // SLUICE_TESTS_FILE_KERNELS_LIMITS_H_
