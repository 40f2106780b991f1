// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/slabs.h"

#include <algorithm>
#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"

namespace sluice {
namespace {

struct SlabTable {
  absl::Mutex mu;
  std::map<const char*, size_t> slabs ABSL_GUARDED_BY(mu);  // begin -> bytes
  std::vector<SlabWatcher*> watchers ABSL_GUARDED_BY(mu);
};

SlabTable& Table() {
  static SlabTable& table = *new SlabTable;
  return table;
}

}  // namespace

std::optional<Slab> FindSlab(const void* address) {
  const auto* at = static_cast<const char*>(address);
  SlabTable& table = Table();
  absl::MutexLock lock(&table.mu);
  auto it = table.slabs.upper_bound(at);
  if (it == table.slabs.begin()) return std::nullopt;
  --it;
  if (at >= it->first + it->second) return std::nullopt;
  return Slab{const_cast<char*>(it->first), it->second};
}

void WatchSlabs(SlabWatcher* watcher) {
  absl::MutexLock lock(&Table().mu);
  Table().watchers.push_back(watcher);
}

void StopWatchingSlabs(SlabWatcher* watcher) {
  absl::MutexLock lock(&Table().mu);
  std::erase(Table().watchers, watcher);
}

void BeginSlab(const Slab& slab) {
  absl::MutexLock lock(&Table().mu);
  Table().slabs[slab.data] = slab.bytes;
}

void EndSlab(const Slab& slab) {
  absl::MutexLock lock(&Table().mu);
  Table().slabs.erase(slab.data);
  for (SlabWatcher* watcher : Table().watchers) watcher->SlabEnds(slab);
}

}  // namespace sluice
