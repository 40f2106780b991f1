// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/memory_budget.h"

#include <malloc.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/tensor/allocator.h"
#include "core/tensor/memory_peak.h"
#include "core/tensor/resident_memory.h"

namespace sluice {
namespace {

std::atomic<int64_t> limit{0}, total{0}, heap_peak{0}, tensor_peak{0};
std::array<std::atomic<int64_t>, 3> uses{};

// The limit of one control group; no limit: the largest number.
int64_t LimitOf(const std::string& file) {
  std::ifstream in(file);
  std::string text;
  int64_t bytes = 0;
  return std::getline(in, text) && absl::SimpleAtoi(text, &bytes) && bytes > 0 ? bytes : INT64_MAX;
}

// The smallest limit of a group and those above it.
int64_t LimitOnPath(const std::string& root, absl::string_view group, absl::string_view file) {
  int64_t smallest = LimitOf(absl::StrCat(root, "/", file));
  std::string path = root;
  for (const absl::string_view part : absl::StrSplit(group, '/', absl::SkipEmpty())) {
    absl::StrAppend(&path, "/", part);
    smallest = std::min(smallest, LimitOf(absl::StrCat(path, "/", file)));
  }
  return smallest;
}

int64_t ControlGroupLimit() {
  int64_t smallest = INT64_MAX;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    // "0::/path" of version 2, "5:memory:/path" of version 1.
    const std::vector<std::string> parts = absl::StrSplit(line, absl::MaxSplits(':', 2));
    if (parts.size() != 3) continue;
    if (parts[1].empty()) {
      smallest = std::min(smallest, LimitOnPath("/sys/fs/cgroup", parts[2], "memory.max"));
    } else if (absl::StrContains(parts[1], "memory")) {
      smallest = std::min(smallest,
                          LimitOnPath("/sys/fs/cgroup/memory", parts[2], "memory.limit_in_bytes"));
    }
  }
  return smallest;
}

std::atomic<int64_t>& CountOf(MemoryUse use) { return uses[static_cast<size_t>(use)]; }

void RaiseTensorPeak(int64_t bytes) {
  int64_t peak = tensor_peak.load(std::memory_order_relaxed);
  while (bytes > peak && !tensor_peak.compare_exchange_weak(peak, bytes)) {
  }
}

}  // namespace

int64_t TensorPeak() { return tensor_peak.load(std::memory_order_relaxed); }
void ResetTensorPeak() { tensor_peak.store(MemoryInUse(MemoryUse::kTensors)); }

void SetMemoryLimit(int64_t bytes) { limit.store(bytes, std::memory_order_relaxed); }
int64_t MemoryLimit() { return limit.load(std::memory_order_relaxed); }

bool TakeMemory(MemoryUse use, size_t bytes) {
  const auto more = static_cast<int64_t>(bytes);
  const int64_t most = MemoryLimit();
  if (!MemoryFits(bytes)) return false;
  const int64_t now = total.fetch_add(more, std::memory_order_relaxed) + more;
  if (most > 0 && now + UncountedMemory() > most) {
    total.fetch_sub(more, std::memory_order_relaxed);
    return false;
  }
  const int64_t used = CountOf(use).fetch_add(more, std::memory_order_relaxed) + more;
  if (use == MemoryUse::kTensors) RaiseTensorPeak(used);
  LimitResidentMemory(now - more, most);
  return true;
}

void AddMemory(MemoryUse use, int64_t bytes) {
  const int64_t all = total.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  const int64_t now = CountOf(use).fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (use == MemoryUse::kTensors) RaiseTensorPeak(now);
  if (use == MemoryUse::kHeap && now > heap_peak.load(std::memory_order_relaxed))
    heap_peak.store(now, std::memory_order_relaxed);
  LimitResidentMemory(all, MemoryLimit());
}

void ReturnFreedHeap() {
  constexpr int64_t kWorthIt = 16;  // a part of the limit
  const int64_t now = MemoryInUse(MemoryUse::kHeap);
  if (heap_peak.load(std::memory_order_relaxed) - now <= MemoryLimit() / kWorthIt) return;
  heap_peak.store(now, std::memory_order_relaxed);
  malloc_trim(0);
}

int64_t MemoryInUse(MemoryUse use) { return CountOf(use).load(std::memory_order_relaxed); }

int64_t AllMemoryInUse() { return total.load(std::memory_order_relaxed); }

std::string DescribeMemory() {
  return absl::StrCat("limit ", MemoryLimit(), ", in use: tensors ",
                      MemoryInUse(MemoryUse::kTensors), ", heap ", MemoryInUse(MemoryUse::kHeap),
                      ", shared memory ", MemoryInUse(MemoryUse::kShared), ", other ",
                      UncountedMemory());
}

absl::Status OutOfMemory() { return ResourceExhausted("OOM", CpuAllocator().Shortage(0, 0)); }

int64_t MachineMemory() {
  struct sysinfo info;
  const int64_t machine =
      sysinfo(&info) == 0 ? static_cast<int64_t>(info.totalram) * info.mem_unit : INT64_MAX;
  return std::min(machine, ControlGroupLimit());
}

}  // namespace sluice
