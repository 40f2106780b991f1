// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_COPY_BYTES_H_
#define SLUICE_CORE_TENSOR_COPY_BYTES_H_

#include <cstddef>

namespace sluice {

// memcpy. A copy larger than the caches bypasses them: the written lines are not read first, and
// the caches keep their content.
void CopyBytes(void* to, const void* from, size_t bytes);

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_COPY_BYTES_H_
