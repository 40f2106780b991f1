// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tests/cuda_double/control.h"
#include "tests/cuda_double/poison.h"

namespace sluice::cuda_double {
namespace {

constexpr size_t kPage = 4096;
constexpr size_t kEdge = 256;  // of a guard zone, checked after each kernel
constexpr size_t kUnit = 512;  // allocations count in these
constexpr size_t kPoisonFile = size_t{4} << 20;
constexpr size_t kKept = size_t{1} << 30;  // of freed memory
constexpr size_t kKeptBlocks = 256;

size_t RoundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

[[noreturn]] void Die(const char* what) {
  std::perror(what);
  std::abort();
}

int PoisonFile() {
  static const int file = [] {
    const int made = memfd_create("sluice-cuda-double-poison", MFD_CLOEXEC);
    const std::vector<unsigned char> poison(kPoisonFile, kPoison);
    if (made < 0 || write(made, poison.data(), poison.size()) != static_cast<ssize_t>(kPoisonFile))
      Die("cuda double: the file of poison");
    return made;
  }();
  return file;
}

// Whole pages. The kernel copies a page when it is written.
void MapPoison(unsigned char* at, size_t bytes) {
  for (size_t done = 0; done < bytes; done += kPoisonFile) {
    void* mapped = mmap(at + done, std::min(kPoisonFile, bytes - done), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, PoisonFile(), 0);
    if (mapped == MAP_FAILED) Die("cuda double: device memory");
  }
}

// AddressSanitizer's own checks are off while it lives.
class Opened {
 public:
  Opened(const unsigned char* memory, size_t bytes) : memory_(memory), bytes_(bytes) {
    OpenMemory(memory_, bytes_);
  }
  ~Opened() { CloseMemory(memory_, bytes_); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

 private:
  const unsigned char* const memory_;
  const size_t bytes_;
};

}  // namespace

DeviceMemory::~DeviceMemory() {
  for (const auto& [start, block] : live_) Release(block);
  for (const Block& block : freed_) Release(block);
}

void DeviceMemory::Release(const Block& block) const {
  OpenMemory(block.data - kPage, block.mapped);
  munmap(block.data - kPage, block.mapped);
}

void* DeviceMemory::Allocate(size_t bytes) {
  const size_t used = RoundUp(std::max<size_t>(bytes, 1), kUnit);
  std::lock_guard lock(mu_);
  if (used > total_ || used_ + others_ + used > total_) return nullptr;
  const size_t mapped = RoundUp(bytes, kPage) + 2 * kPage;
  void* pages =
      mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  auto* start = static_cast<unsigned char*>(pages);
  MapPoison(start, mapped);
  const Block block = {start + kPage, bytes, mapped};
  std::memset(start, kGuardByte, kPage);
  std::memset(block.data + bytes, kGuardByte, mapped - kPage - bytes);
  CloseMemory(start, kPage);
  CloseMemory(block.data + bytes, mapped - kPage - bytes);
  live_.emplace(start, block);
  used_ += used;
  most_ = std::max(most_, used_);
  return block.data;
}

bool DeviceMemory::Free(void* pointer, std::vector<std::string>* faults) {
  std::lock_guard lock(mu_);
  const auto at = live_.find(static_cast<unsigned char*>(pointer) - kPage);
  if (at == live_.end()) return false;
  Block block = at->second;
  live_.erase(at);
  CheckGuards(block, /*edges=*/false, faults);
  used_ -= RoundUp(std::max<size_t>(block.bytes, 1), kUnit);
  OpenMemory(block.data - kPage, block.mapped);
  MapPoison(block.data - kPage, block.mapped);
  CloseMemory(block.data - kPage, block.mapped);
  freed_.push_back(block);
  freed_bytes_ += block.mapped;
  while (freed_.size() > kKeptBlocks || (freed_bytes_ > kKept && freed_.size() > 1)) {
    CheckFreed(freed_.front(), faults);
    freed_bytes_ -= freed_.front().mapped;
    Release(freed_.front());
    freed_.pop_front();
  }
  return true;
}

const DeviceMemory::Block* DeviceMemory::Find(const void* pointer) const {
  auto at = live_.upper_bound(static_cast<const unsigned char*>(pointer));
  if (at == live_.begin()) return nullptr;
  const Block& block = (--at)->second;
  return static_cast<const unsigned char*>(pointer) < at->first + block.mapped ? &block : nullptr;
}

bool DeviceMemory::IsMine(const void* pointer) const {
  std::lock_guard lock(mu_);
  if (Find(pointer)) return true;
  const auto* byte = static_cast<const unsigned char*>(pointer);
  return std::any_of(freed_.begin(), freed_.end(), [&](const Block& block) {
    return byte >= block.data - kPage && byte < block.data - kPage + block.mapped;
  });
}

bool DeviceMemory::IsLive(const void* pointer, size_t bytes) const {
  std::lock_guard lock(mu_);
  const Block* block = Find(pointer);
  if (!block) return false;
  const auto* byte = static_cast<const unsigned char*>(pointer);
  return byte >= block->data && byte <= block->data + block->bytes &&
         bytes <= static_cast<size_t>(block->data + block->bytes - byte);
}

void DeviceMemory::CheckGuards(const Block& block, bool edges,
                               std::vector<std::string>* faults) const {
  const size_t before = edges ? kEdge : kPage;
  const size_t whole = block.mapped - kPage - block.bytes;
  const size_t after = edges ? std::min(kEdge, whole) : whole;
  const Opened front(block.data - before, before), back(block.data + block.bytes, after);
  const char* side = nullptr;
  if (!AllBytesAre(block.data - before, kGuardByte, before)) side = "before";
  if (!AllBytesAre(block.data + block.bytes, kGuardByte, after)) side = "behind";
  if (!side || block.reported) return;
  faults->push_back("memory " + std::string(side) + " an allocation of " +
                    std::to_string(block.bytes) + " bytes was written");
}

void DeviceMemory::CheckFreed(const Block& block, std::vector<std::string>* faults) const {
  const unsigned char* start = block.data - kPage;
  const Opened opened(start, block.mapped);
  if (block.reported || AllBytesAre(start, kPoison, block.mapped)) return;
  faults->push_back("an allocation of " + std::to_string(block.bytes) +
                    " bytes was written after it was freed");
}

void DeviceMemory::CheckEdges(std::vector<std::string>* faults) const {
  std::lock_guard lock(mu_);
  for (auto& [start, block] : live_) {
    const size_t known = faults->size();
    CheckGuards(block, /*edges=*/true, faults);
    if (faults->size() > known) block.reported = true;
  }
}

void DeviceMemory::CheckAll(std::vector<std::string>* faults) const {
  std::lock_guard lock(mu_);
  for (auto& [start, block] : live_) {
    const size_t known = faults->size();
    CheckGuards(block, /*edges=*/false, faults);
    if (faults->size() > known) block.reported = true;
  }
  for (Block& block : freed_) {
    const size_t known = faults->size();
    CheckFreed(block, faults);
    if (faults->size() > known) block.reported = true;
  }
}

size_t DeviceMemory::free() const {
  std::lock_guard lock(mu_);
  return total_ - std::min(total_, used_ + others_);
}

void DeviceMemory::SetUsedByOthers(size_t bytes) {
  std::lock_guard lock(mu_);
  others_ = bytes;
}

int64_t DeviceMemory::live_bytes() const {
  std::lock_guard lock(mu_);
  return static_cast<int64_t>(used_);
}

int64_t DeviceMemory::live_allocations() const {
  std::lock_guard lock(mu_);
  return static_cast<int64_t>(live_.size());
}

int64_t DeviceMemory::most_bytes() const {
  std::lock_guard lock(mu_);
  return static_cast<int64_t>(most_);
}

}  // namespace sluice::cuda_double
