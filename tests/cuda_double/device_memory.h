// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_CUDA_DOUBLE_DEVICE_MEMORY_H_
#define SLUICE_TESTS_CUDA_DOUBLE_DEVICE_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::cuda_double {

// The memory of one device: poisoned when allocated and when freed, with guard zones around each
// allocation. Freed memory is kept a while and checked, so that late writes are found; under
// AddressSanitizer reads are, too. Poison costs no memory before it is overwritten: its pages are
// those of one file.
//
// Threads:  any.
class DeviceMemory {
 public:
  DeviceMemory(int ordinal, size_t bytes) : ordinal_(ordinal), total_(bytes) {}
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // Null if there is no room.
  void* Allocate(size_t bytes);
  // False if it is not the start of an allocation. Appends what is wrong with the guard zones.
  bool Free(void* pointer, std::vector<std::string>* faults);

  // An address in an allocation, or in one that was freed lately, or in a guard zone of these.
  bool IsMine(const void* pointer) const;
  bool IsLive(const void* pointer, size_t bytes) const;

  // Appends what is wrong: of the bytes next to live allocations, or of everything.
  void CheckEdges(std::vector<std::string>* faults) const;
  void CheckAll(std::vector<std::string>* faults) const;

  size_t total() const { return total_; }
  size_t free() const;
  // The bytes that other processes of the machine use.
  void SetUsedByOthers(size_t bytes);

  int64_t live_bytes() const;
  int64_t live_allocations() const;
  int64_t most_bytes() const;

 private:
  struct Block {
    unsigned char* data;
    size_t bytes;   // as asked for
    size_t mapped;  // of the guard zones and all between
    bool reported = false;
  };

  void CheckGuards(const Block& block, bool edges, std::vector<std::string>* faults) const;
  void CheckFreed(const Block& block, std::vector<std::string>* faults) const;
  void Release(const Block& block) const;
  const Block* Find(const void* pointer) const;

  const int ordinal_;
  const size_t total_;
  mutable std::mutex mu_;
  size_t others_ = 0, used_ = 0, most_ = 0;
  mutable std::map<const unsigned char*, Block> live_;  // by the first byte mapped
  mutable std::deque<Block> freed_;
  size_t freed_bytes_ = 0;
};

}  // namespace sluice::cuda_double

#endif  // SLUICE_TESTS_CUDA_DOUBLE_DEVICE_MEMORY_H_
