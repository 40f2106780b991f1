// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_FILE_KERNELS_MUTATION_H_
#define SLUICE_TESTS_FILE_KERNELS_MUTATION_H_

#include <random>
#include <string>

#include "absl/strings/string_view.h"

namespace sluice::kernels {

using Rng = std::mt19937;

// Changes one to six places of a file: bits flip, bytes become zero or large, the end is missing,
// numbers of 1 to 10 bytes become lengths that no file has, blocks are removed, repeated, exchanged
// or come from `other`.
std::string Mutated(std::string file, absl::string_view other, Rng& random);

}  // namespace sluice::kernels

#endif  // SLUICE_TESTS_FILE_KERNELS_MUTATION_H_
