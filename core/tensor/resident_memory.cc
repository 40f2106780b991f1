// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/resident_memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "absl/time/clock.h"
#include "core/tensor/memory_budget.h"

namespace sluice {
namespace {

constexpr int64_t kLooks = 64;          // while memory grows from 0 to the limit
constexpr int64_t kMuch = 32;           // a part of the limit
constexpr int64_t kPause = 20'000'000;  // ns: returning memory takes time, and may be in vain

std::atomic<int64_t> looked{0};  // the counted bytes at the last look
std::atomic<int64_t> returned{0};
std::atomic<bool> counts_resident{false};
std::atomic<int64_t> uncounted{0};

// Whether memory has grown enough since the last look. For one thread at a time.
bool IsTimeToLook(int64_t counted, int64_t step) {
  int64_t last = looked.load(std::memory_order_relaxed);
  if (counted < last - step) looked.store(counted, std::memory_order_relaxed);
  return counted >= last + step && looked.compare_exchange_strong(last, counted);
}

struct Resident {
  int64_t all = 0;
  int64_t own = 0;  // without files and shared memory
};

Resident Measure() {
  // No stream: operator new may be the caller.
  char text[128] = "";
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t size = read(file, text, sizeof(text) - 1);
  close(file);
  long long pages = 0, shared = 0;
  if (size <= 0 || sscanf(text, "%*s %lld %lld", &pages, &shared) != 2) return {};
  const int64_t page = sysconf(_SC_PAGESIZE);
  return {pages * page, (pages - shared) * page};
}

// `counted`: of all uses.
void CountTheRest(int64_t counted, int64_t own) {
  if (!counts_resident.load(std::memory_order_relaxed)) return;
  const int64_t private_bytes = counted - MemoryInUse(MemoryUse::kShared);
  uncounted.store(std::max<int64_t>(0, own - private_bytes), std::memory_order_relaxed);
}

// True once in a while.
bool MayReturn() {
  const int64_t now = absl::GetCurrentTimeNanos();
  int64_t last = returned.load(std::memory_order_relaxed);
  return now - last >= kPause && returned.compare_exchange_strong(last, now);
}

bool Fits(size_t bytes, int64_t counted, int64_t limit) {
  const auto more = static_cast<int64_t>(std::min<size_t>(bytes, INT64_MAX / 4));
  return counted + UncountedMemory() + more <= limit;
}

// Gives free memory back to the system, if it is time to, and measures again. Returns the counted
// bytes.
int64_t ReturnAndMeasure() {
  if (MayReturn()) malloc_trim(0);
  const int64_t counted = AllMemoryInUse();
  CountTheRest(counted, Measure().own);
  return counted;
}

// A step that has failed is answered before all of its memory is free. Waits as long as the use of
// memory falls, a second at most.
bool FitsSoon(size_t bytes, int64_t limit) {
  constexpr absl::Duration kLook = absl::Milliseconds(2);
  constexpr int kMost = 500, kUnchanged = 15;  // looks
  int64_t least = INT64_MAX;
  for (int look = 0, fell = 0; look < kMost && look - fell < kUnchanged; ++look) {
    absl::SleepFor(kLook);
    const int64_t counted = ReturnAndMeasure();
    if (Fits(bytes, counted, limit)) return true;
    const int64_t used = counted + UncountedMemory();
    if (used < least) fell = look;
    least = std::min(least, used);
  }
  return false;
}

}  // namespace

int64_t ResidentMemory() { return Measure().all; }

void CountResidentMemory(bool counts) {
  counts_resident.store(counts, std::memory_order_relaxed);
  if (!counts) uncounted.store(0, std::memory_order_relaxed);
}

int64_t UncountedMemory() { return uncounted.load(std::memory_order_relaxed); }

bool MemoryFits(size_t bytes) {
  const int64_t limit = MemoryLimit(), counted = AllMemoryInUse();
  if (limit == 0) return true;
  const bool counts_all = counts_resident.load(std::memory_order_relaxed);
  const bool large = bytes >= static_cast<size_t>(limit / kLooks);
  if (counts_all && large) CountTheRest(counted, Measure().own);
  if (Fits(bytes, counted, limit)) return true;
  if (UncountedMemory() > 0 && Fits(bytes, ReturnAndMeasure(), limit)) return true;
  return counts_all && large && bytes <= static_cast<size_t>(limit) && FitsSoon(bytes, limit);
}

void LimitResidentMemory(int64_t counted, int64_t limit) {
  if (limit == 0 || !IsTimeToLook(counted, limit / kLooks)) return;
  Resident resident = Measure();
  const int64_t private_bytes = counted - MemoryInUse(MemoryUse::kShared);
  if (resident.all >= limit - limit / kMuch && resident.own >= private_bytes + limit / kMuch &&
      MayReturn()) {
    malloc_trim(0);
    resident = Measure();
  }
  CountTheRest(counted, resident.own);
}

}  // namespace sluice
