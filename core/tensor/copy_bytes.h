// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_COPY_BYTES_H_
#define SLUICE_CORE_TENSOR_COPY_BYTES_H_

#include <cstddef>

namespace sluice {

// memcpy, but what is larger than caches are is written past them: the line that is written is not
// read first, and what the caches hold stays there.
void CopyBytes(void* to, const void* from, size_t bytes);

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_COPY_BYTES_H_
