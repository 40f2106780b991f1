// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_STAGE_RECORD_H_
#define SLUICE_KERNELS_COMMON_DATASET_STAGE_RECORD_H_

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "core/runtime/pipelines.h"
#include "kernels/common/dataset/tick_clock.h"

namespace sluice::kernels {

class Stage;
class StagePause;

// What one stage counts.
//
// Threads:  one at a time changes it, any read it.
struct StageCounts {
  std::atomic<int64_t> elements{0};
  TickSum waited;
};

// A StageRecord counts what the stages of one data set do in a run: the stages that begin anew when
// it is repeated, and those of a function's data set that are open at once, have one record.
//
// Owner:    the run. It outlives the stages.
// Threads:  any.
class StageRecord {
 public:
  // Of the iterator. `pause`: where the stages of its run stand still; null: they never do.
  explicit StageRecord(StagePause* pause = nullptr) : pause_(pause) {}
  StageRecord(std::string node, std::string op, StagePause* pause)
      : node_(std::move(node)), op_(std::move(op)), pause_(pause) {}

  // The record of a data set that this one reads: one for all of this name.
  StageRecord* Input(const std::string& node, const std::string& op);
  // The counts of a stage, from its beginning to its end.
  void Add(const StageCounts* counts);
  void Remove(const StageCounts* counts);

  // Of lines of elements that are made ahead.
  void AddLine(int64_t workers) { CountLine(1, workers); }
  void RemoveLine(int64_t workers) { CountLine(-1, -workers); }
  TickSum reading, making, no_room;

  StagePause* pause() const { return pause_; }

  // Reports of this record's inputs, and of theirs.
  void ReportInputs(int64_t reader, std::vector<StageReport>& reports) const;

 private:
  StageReport Report(int64_t reader) const;
  void CountLine(int64_t lines, int64_t workers) {
    lines_.fetch_add(lines, std::memory_order_relaxed);
    workers_.fetch_add(workers, std::memory_order_relaxed);
  }

  const std::string node_, op_;
  StagePause* const pause_;
  std::atomic<int64_t> lines_{0}, workers_{0};

  mutable absl::Mutex mu_;
  std::vector<std::unique_ptr<StageRecord>> inputs_ ABSL_GUARDED_BY(mu_);
  absl::flat_hash_set<const StageCounts*> counts_ ABSL_GUARDED_BY(mu_);
  int64_t elements_ ABSL_GUARDED_BY(mu_) = 0;  // of stages that have ended
  int64_t waited_us_ ABSL_GUARDED_BY(mu_) = 0;
};

// The stage, whose elements and times are counted, and which stands still where its run does.
std::unique_ptr<Stage> Recorded(std::unique_ptr<Stage> stage, StageRecord* record);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_STAGE_RECORD_H_
