// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_ALLOCATOR_H_
#define SLUICE_CORE_TENSOR_ALLOCATOR_H_

#include <cstddef>
#include <cstdint>
#include <string>

namespace sluice {

constexpr size_t kAlignment = 64;

struct AllocatorStats {
  int64_t live_bytes = 0;
  int64_t peak_bytes = 0;  // most memory taken from the system so far, including caches
  int64_t allocations = 0;
  int64_t largest = 0;  // bytes of the largest request; 0: unknown
  int64_t limit = 0;    // 0: none
};

// An Allocator allocates memory of one kind (host, device). Blocks are aligned to 64 bytes.
//
// Threads:  any.
// Errors:   nullptr if memory is short; the caller returns RESOURCE_EXHAUSTED with its own name.
class Allocator {
 public:
  virtual ~Allocator() = default;
  virtual const std::string& name() const = 0;
  virtual void* Allocate(size_t bytes) = 0;
  virtual void Free(void* block, size_t bytes) = 0;  // REQUIRES: the size it was allocated with
  // False if only the device's own kernels may access the bytes. Then buffers keep their
  // bookkeeping elsewhere.
  virtual bool host_readable() const { return true; }
  // True: host code that accesses the bytes ends the program (Tensor::data). The asynchronous test
  // device runs the CPU's kernels on memory that is not host_readable, so it returns false.
  virtual bool device_only() const { return false; }
  virtual AllocatorStats stats() const { return {}; }
  // Text for the error when Allocate returned null for so many elements: the limit, and the largest
  // blocks. Empty, or it begins with punctuation.
  virtual std::string Shortage(int64_t /*elements*/, size_t /*element_bytes*/) const { return {}; }
};

// The process's host memory, with size classes cached per thread, so that a step in steady state
// never calls malloc. It is never destroyed.
Allocator& CpuAllocator();

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_ALLOCATOR_H_
