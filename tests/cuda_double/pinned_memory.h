// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_PINNED_MEMORY_H_
#define SLUICE_TESTS_CUDA_DOUBLE_PINNED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace sluice::cuda_double {

// Host memory that the device can read while the host goes on: allocated so, or registered.
//
// Threads:  any.
class PinnedMemory {
 public:
  // Poisoned. Null if there is no memory.
  void* Allocate(size_t bytes);
  bool Free(void* pointer);
  // False if a part is pinned already.
  bool Register(void* pointer, size_t bytes);
  bool Unregister(void* pointer);
  // True if all bytes lie in one range.
  bool Holds(const void* pointer, size_t bytes) const;
  void Clear();

  int64_t bytes() const;
  int64_t ranges() const;

 private:
  struct Range {
    size_t bytes;
    bool allocated;
  };

  mutable std::mutex mu_;
  std::map<const unsigned char*, Range> ranges_;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_PINNED_MEMORY_H_
