// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_SUMMARIZE_H_
#define SLUICE_KERNELS_COMMON_SUMMARIZE_H_

#include <cstdint>
#include <string>

#include "core/tensor/tensor.h"

namespace sluice::kernels {

// The first `limit` values (all if negative) as Assert and Print show them: "1 2 3...", "[1
// 2][3...]...".
// REQUIRES: host memory.
std::string Summarize(const Tensor& tensor, int64_t limit);

// All brackets, each row of a matrix on its own line, as StringFormat shows them. `ends` values
// appear at both ends of each dimension (all if negative), and strings are quoted.
// REQUIRES: host memory.
std::string SummarizeNested(const Tensor& tensor, int64_t ends);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_SUMMARIZE_H_
