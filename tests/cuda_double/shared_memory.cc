// SPDX-License-Identifier: Apache-2.0
#include "tests/cuda_double/shared_memory.h"

#include <cstring>

#include "tests/cuda_double/control.h"
#include "tests/cuda_double/poison.h"

namespace sluice::cuda_double {

SharedMemory::~SharedMemory() { Close(false); }

void SharedMemory::Close(bool closed) {
  if (!memory_) return;
  for (unsigned char* guard : {memory_.get(), data() + bytes_}) {
    if (closed) {
      std::memset(guard, kGuardByte, kGuard);
      CloseMemory(guard, kGuard);
    } else {
      OpenMemory(guard, kGuard);
    }
  }
}

void SharedMemory::Resize(size_t bytes) {
  if (memory_ && bytes == bytes_) return;
  Close(false);
  memory_.reset(bytes ? new unsigned char[bytes + 2 * kGuard] : nullptr);
  bytes_ = bytes;
  Close(true);
}

void SharedMemory::Poison() {
  if (memory_) std::memset(data(), kPoison, bytes_);
}

const char* SharedMemory::Check() const {
  if (!memory_) return nullptr;
#if !defined(__SANITIZE_ADDRESS__)
  if (!AllBytesAre(memory_.get(), kGuardByte, kGuard) ||
      !AllBytesAre(memory_.get() + kGuard + bytes_, kGuardByte, kGuard))
    return "shared memory was written outside of its bounds";
#endif
  return nullptr;
}

}  // namespace sluice::cuda_double
