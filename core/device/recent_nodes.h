// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_RECENT_NODES_H_
#define SLUICE_CORE_DEVICE_RECENT_NODES_H_

#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/status.h"

namespace sluice {

// RecentNodes remembers which nodes enqueued work on a stream since its last event: the first, the
// last, and how many. If the event reports an error, the work of one of them failed.
//
// Threads:  any.
class RecentNodes {
 public:
  // Returns how many there are since Take.
  int Add(absl::string_view node) {
    absl::MutexLock lock(&mu_);
    (count_ == 0 ? first_ : last_).assign(node.data(), node.size());
    return ++count_;
  }

  // ", after a", ", after the 9 nodes from a to b", or "" if there is none. Forgets them.
  std::string Take() {
    absl::MutexLock lock(&mu_);
    const int count = count_;
    count_ = 0;
    if (count < 2) return count == 0 ? "" : Cat(", after ", first_);
    return Cat(", after the ", count, " nodes from ", first_, " to ", last_);
  }

 private:
  absl::Mutex mu_;
  // The strings keep their memory.
  std::string first_ ABSL_GUARDED_BY(mu_), last_ ABSL_GUARDED_BY(mu_);
  int count_ ABSL_GUARDED_BY(mu_) = 0;
};

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_RECENT_NODES_H_
