// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_SHARED_MEMORY_H_
#define SLUICE_TESTS_CUDA_DOUBLE_SHARED_MEMORY_H_

#include <cstddef>
#include <memory>

namespace sluice::cuda_double {

// The dynamic shared memory of a block, between guard zones.
class SharedMemory {
 public:
  ~SharedMemory();

  void Resize(size_t bytes);
  unsigned char* data() { return memory_ ? memory_.get() + kGuard : nullptr; }
  // Before each block.
  void Poison();
  // Null, or what is wrong.
  const char* Check() const;

 private:
  static constexpr size_t kGuard = 256;

  // Makes the guard zones errors for AddressSanitizer, or plain memory again.
  void Close(bool closed);

  std::unique_ptr<unsigned char[]> memory_;
  size_t bytes_ = 0;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_SHARED_MEMORY_H_
