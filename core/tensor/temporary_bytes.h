// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_TEMPORARY_BYTES_H_
#define SLUICE_CORE_TENSOR_TEMPORARY_BYTES_H_

#include <cstddef>

namespace sluice {

// The total of the bytes that KernelContext::AllocateTemporary gave to this thread. Traces take the
// difference.
size_t& TemporaryBytesOfThread();

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_TEMPORARY_BYTES_H_
