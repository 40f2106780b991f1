// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_CACHED_OBJECT_H_
#define SLUICE_CORE_THREADS_CACHED_OBJECT_H_

#include <cstddef>
#include <new>

#include "core/tensor/allocator.h"

namespace sluice {

// For objects that live by the hundred at once, or die on another thread than they were made on:
// malloc keeps few of a size at hand. Their memory is the CPU allocator's.
struct CachedObject {
  static void* operator new(size_t bytes) {
    void* const block = CpuAllocator().Allocate(bytes);
    if (block == nullptr) throw std::bad_alloc();
    return block;
  }
  static void operator delete(void* block, size_t bytes) { CpuAllocator().Free(block, bytes); }
};

}  // namespace sluice

#endif  // SLUICE_CORE_THREADS_CACHED_OBJECT_H_
