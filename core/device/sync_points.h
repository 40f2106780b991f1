// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_DEVICE_SYNC_POINTS_H_
#define SLUICE_CORE_DEVICE_SYNC_POINTS_H_

#include <cstdint>
#include <deque>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/synchronization/mutex.h"
#include "core/status.h"

namespace sluice {

// SyncPoints calls back when all work that began before a point has ended, in any order of the
// pieces of work. Callbacks of several points run in the order of the points.
//
// Threads:  any; callbacks run on a thread that calls End or Add.
class SyncPoints {
 public:
  using Done = absl::AnyInvocable<void(absl::Status)>;

  // Returns the number of the work, for its End.
  uint64_t Begin();
  void End(uint64_t work);
  // `done` gets `status()` when it runs.
  void Add(Done done);

  explicit SyncPoints(absl::AnyInvocable<absl::Status() const> status)
      : status_(std::move(status)) {}

 private:
  // The work between two points.
  struct Section {
    int64_t unfinished = 0;
    Done done;  // of the point that ends it; null in the last section
  };

  void RunReady();

  const absl::AnyInvocable<absl::Status() const> status_;

  absl::Mutex mu_;
  std::deque<Section> sections_ ABSL_GUARDED_BY(mu_) = std::deque<Section>(1);
  uint64_t first_ ABSL_GUARDED_BY(mu_) = 0;  // number of the first section
  bool running_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice

#endif  // SLUICE_CORE_DEVICE_SYNC_POINTS_H_
