// SPDX-License-Identifier: Apache-2.0
#include "transport/backends/shm/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>

#include "absl/strings/numbers.h"

namespace sluice::transport {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

size_t NumberIn(const char* file, absl::string_view name, size_t otherwise) {
  std::ifstream in(file);
  std::string word;
  for (size_t value = 0; in >> word;) {
    if (name.empty()) return absl::SimpleAtoi(word, &value) ? value : otherwise;
    if (word == name && in >> value) return value;
  }
  return otherwise;
}

// The memory that is still free on the machine, or in the control group of this process. The kernel
// does not refuse anonymous memory; it kills a process to free some.
size_t AvailableBytes() {
  constexpr size_t kNoLimit = size_t{1} << 60;
  const size_t machine = NumberIn("/proc/meminfo", "MemAvailable:", kNoLimit >> 10) << 10;
  const size_t limit = NumberIn("/sys/fs/cgroup/memory.max", "", kNoLimit);
  const size_t used = NumberIn("/sys/fs/cgroup/memory.current", "", 0);
  return std::min(machine, limit - std::min(limit, used));
}

}  // namespace

absl::StatusOr<std::shared_ptr<SharedMemory>> SharedMemory::Create(size_t bytes) {
  if (const size_t available = AvailableBytes(); bytes > available - available / 8)
    return ResourceExhausted("no ", bytes, " bytes of shared memory: ", available,
                             " are left on this machine");
  auto counted = std::make_unique<CountedMemory>(MemoryUse::kShared, bytes);
  if (!counted->taken())
    return ResourceExhausted("no ", bytes, " bytes of shared memory: ", DescribeMemory());
  Descriptor memory(memfd_create("sluice", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.valid()) return ResourceExhausted("no shared memory: ", strerror(errno));
  const int error = posix_fallocate(memory.get(), 0, static_cast<off_t>(bytes));
  if (error != 0)
    return ResourceExhausted("no ", bytes, " bytes of shared memory: ", strerror(error));
  if (fcntl(memory.get(), F_ADD_SEALS, kSeals) != 0)
    return Internal("cannot seal shared memory: ", strerror(errno));
  SLUICE_ASSIGN(std::shared_ptr<SharedMemory> made, MapAll(std::move(memory), bytes));
  made->counted_ = std::move(counted);
  return made;
}

absl::StatusOr<std::shared_ptr<SharedMemory>> SharedMemory::Map(Descriptor memory) {
  struct stat stat = {};
  const int seals = fcntl(memory.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kSeals) != kSeals || fstat(memory.get(), &stat) != 0 ||
      stat.st_size <= 0)
    return InvalidArgument("shared memory whose size may change");
  return MapAll(std::move(memory), static_cast<size_t>(stat.st_size));
}

absl::StatusOr<std::shared_ptr<SharedMemory>> SharedMemory::MapAll(Descriptor memory,
                                                                   size_t bytes) {
  void* data =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, memory.get(), 0);
  if (data == MAP_FAILED)
    return ResourceExhausted("cannot map ", bytes, " bytes of shared memory: ", strerror(errno));
  return std::shared_ptr<SharedMemory>(
      new SharedMemory(std::move(memory), static_cast<char*>(data), bytes));
}

SharedMemory::~SharedMemory() {
  pin_ = nullptr;
  munmap(data_, size_);
}

}  // namespace sluice::transport
