// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_SHM_SHARED_MEMORY_H_
#define SLUICE_TRANSPORT_BACKENDS_SHM_SHARED_MEMORY_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "core/tensor/memory_budget.h"
#include "transport/poll/poll_loop.h"

namespace sluice::transport {

// Anonymous memory of two processes. It is freed with the last of them, however they end.
//
// Threads:  any; the writers of the bytes have their own rules.
class SharedMemory {
 public:
  // Creates zeroed memory with all pages allocated. RESOURCE_EXHAUSTED if memory is short, instead
  // of a signal at the first access.
  static absl::StatusOr<std::shared_ptr<SharedMemory>> Create(size_t bytes);
  // Maps memory that another process created. INVALID_ARGUMENT unless its size can never change.
  static absl::StatusOr<std::shared_ptr<SharedMemory>> Map(Descriptor memory);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  char* data() const { return data_; }
  size_t size() const { return size_; }
  // `pin` is destroyed before the memory is unmapped. Call it before other threads use the memory.
  void set_pin(std::shared_ptr<void> pin) { pin_ = std::move(pin); }
  int descriptor() const { return memory_.get(); }

 private:
  SharedMemory(Descriptor memory, char* data, size_t size)
      : memory_(std::move(memory)), data_(data), size_(size) {}
  static absl::StatusOr<std::shared_ptr<SharedMemory>> MapAll(Descriptor memory, size_t bytes);

  const Descriptor memory_;
  char* const data_;
  const size_t size_;
  std::unique_ptr<CountedMemory> counted_;  // if this process created it
  std::shared_ptr<void> pin_;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_SHM_SHARED_MEMORY_H_
