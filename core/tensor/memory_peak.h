// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_MEMORY_PEAK_H_
#define SLUICE_CORE_TENSOR_MEMORY_PEAK_H_

#include <cstdint>

namespace sluice {

// The most memory for tensors, in bytes, since the process began or ResetTensorPeak() ran.
//
// Threads:  any.
int64_t TensorPeak();
void ResetTensorPeak();

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_MEMORY_PEAK_H_
