#ifndef SLUICE_KERNELS_ANY_SUMMARIZE_H_
#define SLUICE_KERNELS_ANY_SUMMARIZE_H_

#include <cstdint>
#include <string>

#include "core/tensor.h"

namespace sluice::kernels {

// The first `limit` values (all when negative) as Assert and Print show them: "1 2 3...", "[1
// 2][3...]...". REQUIRES: host memory.
std::string Summarize(const Tensor& tensor, int64_t limit);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_SUMMARIZE_H_
