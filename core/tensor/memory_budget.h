// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_TENSOR_MEMORY_BUDGET_H_
#define SLUICE_CORE_TENSOR_MEMORY_BUDGET_H_

#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

#include "core/status.h"

namespace sluice {

// What uses the memory of this process.
enum class MemoryUse {
  kTensors,  // blocks of the CPU allocator, free ones included
  kHeap,     // operator new: strings, containers, messages; counted in sluice-server only
  kShared,   // shared memory that this process made
};

// The memory of this process has one limit. A request that would exceed it fails while the process
// still works: an allocator returns null, operator new throws std::bad_alloc (in a MemoryScope).
//
// Threads:  any.
void SetMemoryLimit(int64_t bytes);  // 0: none
int64_t MemoryLimit();

// False, and nothing is counted, if the limit would be exceeded.
bool TakeMemory(MemoryUse use, size_t bytes);
// Counts the bytes, even beyond the limit.
void AddMemory(MemoryUse use, int64_t bytes);
inline void GiveMemory(MemoryUse use, size_t bytes) {
  AddMemory(use, -static_cast<int64_t>(bytes));
}
// malloc keeps what was freed, which counts no more. Gives it back to the system if it is much.
void ReturnFreedHeap();
int64_t MemoryInUse(MemoryUse use);
int64_t AllMemoryInUse();

// Bytes that count while this lives, if there was room for them.
class CountedMemory {
 public:
  CountedMemory(MemoryUse use, size_t bytes)
      : use_(use), bytes_(bytes), taken_(TakeMemory(use, bytes)) {}
  ~CountedMemory() {
    if (taken_) GiveMemory(use_, bytes_);
  }
  CountedMemory(const CountedMemory&) = delete;
  CountedMemory& operator=(const CountedMemory&) = delete;

  bool taken() const { return taken_; }

 private:
  const MemoryUse use_;
  const size_t bytes_;
  const bool taken_;
};

// "limit 1000, in use: tensors 200, heap 100, shared memory 0", in bytes.
std::string DescribeMemory();

// While a MemoryScope lives, its thread does work that may fail, and somebody catches
// std::bad_alloc. Elsewhere operator new goes on beyond the limit: the caller could not continue.
class MemoryScope {
 public:
  explicit MemoryScope(bool active = true) : outer_(active_) { active_ = active; }
  ~MemoryScope() { active_ = outer_; }
  MemoryScope(const MemoryScope&) = delete;
  MemoryScope& operator=(const MemoryScope&) = delete;

  static bool OfThread() { return active_; }

 private:
  static inline constinit thread_local bool active_ = false;

  const bool outer_;
};

// RESOURCE_EXHAUSTED, with what uses the memory.
absl::Status OutOfMemory();

// Calls `work` in a MemoryScope. Returns its result, a Status or StatusOr; OutOfMemory() if it ran
// out of memory.
template <typename Work>
auto WithinMemory(const Work& work) -> decltype(work()) {
  try {
    const MemoryScope scope;
    return work();
  } catch (const std::bad_alloc&) {
    return OutOfMemory();
  } catch (const std::length_error&) {  // a string or a vector beyond all bounds
    return OutOfMemory();
  }
}

// The smaller of the machine's memory and what the control groups of this process allow, in bytes.
int64_t MachineMemory();

}  // namespace sluice

#endif  // SLUICE_CORE_TENSOR_MEMORY_BUDGET_H_
