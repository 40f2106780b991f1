// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_THREADS_CACHED_OBJECT_H_
#define SLUICE_CORE_THREADS_CACHED_OBJECT_H_

#include <cstddef>
#include <new>

#include "core/tensor/allocator.h"

namespace sluice {

// For objects that exist by the hundred at once, or are destroyed on another thread than the one
// that made them: malloc caches few of one size. Their memory comes from the CPU allocator.
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
