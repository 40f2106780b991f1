#include "transport/shm/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace sluice::transport {
namespace {

constexpr int kSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

}  // namespace

absl::StatusOr<std::shared_ptr<SharedMemory>> SharedMemory::Create(size_t bytes) {
  Descriptor memory(memfd_create("sluice", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!memory.valid()) return ResourceExhausted("no shared memory: ", strerror(errno));
  const int error = posix_fallocate(memory.get(), 0, static_cast<off_t>(bytes));
  if (error != 0)
    return ResourceExhausted("no ", bytes, " bytes of shared memory: ", strerror(error));
  if (fcntl(memory.get(), F_ADD_SEALS, kSeals) != 0)
    return Internal("cannot seal shared memory: ", strerror(errno));
  return MapAll(std::move(memory), bytes);
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

SharedMemory::~SharedMemory() { munmap(data_, size_); }

}  // namespace sluice::transport
