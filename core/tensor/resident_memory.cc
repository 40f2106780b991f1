// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/resident_memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>

#include "absl/time/clock.h"

namespace sluice {
namespace {

constexpr int64_t kLooks = 64;          // while memory grows from 0 to the limit
constexpr int64_t kMuch = 32;           // a part of the limit
constexpr int64_t kPause = 20'000'000;  // ns: returning memory takes time, and may be in vain

std::atomic<int64_t> looked{0};  // the counted bytes at the last look
std::atomic<int64_t> returned{0};

// Whether memory has grown enough since the last look. For one thread at a time.
bool IsTimeToLook(int64_t counted, int64_t step) {
  int64_t last = looked.load(std::memory_order_relaxed);
  if (counted < last - step) looked.store(counted, std::memory_order_relaxed);
  return counted >= last + step && looked.compare_exchange_strong(last, counted);
}

}  // namespace

int64_t ResidentMemory() {
  // No stream: operator new may be the caller.
  char text[128] = "";
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  long long pages = 0;
  if (size <= 0 || sscanf(text, "%*s %lld", &pages) != 1) return 0;
  return pages * sysconf(_SC_PAGESIZE);
}

void LimitResidentMemory(int64_t counted, int64_t limit) {
  if (limit == 0 || !IsTimeToLook(counted, limit / kLooks)) return;
  const int64_t now = absl::GetCurrentTimeNanos();
  if (now - returned.load(std::memory_order_relaxed) < kPause) return;
  const int64_t resident = ResidentMemory();
  if (resident < limit - limit / kMuch || resident < counted + limit / kMuch) return;
  returned.store(now, std::memory_order_relaxed);
  malloc_trim(0);
}

}  // namespace sluice
