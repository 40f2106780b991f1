// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_CORE_RUNTIME_PIPELINES_H_
#define SLUICE_CORE_RUNTIME_PIPELINES_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/tensor/resource.h"

namespace sluice {

// What one stage of a running data set has done since its iterator began. Times are in
// microseconds. They are counted in steps of about a millisecond, and are right on average.
struct StageReport {
  std::string node, op;   // that made the data set
  int64_t reader = -1;    // index of the stage that reads its elements; -1: the iterator
  int64_t elements = 0;   // that it has given
  int64_t waited_us = 0;  // that its readers waited for them, the work for them included
  // Of a stage that works ahead, else 0:
  int64_t lines = 0;       // lines of elements that it makes ahead now
  int64_t workers = 0;     // of all lines; most at a time
  int64_t reading_us = 0;  // workers read inputs, one of each line at a time
  int64_t making_us = 0;   // workers made elements of them, the sum over the workers
  int64_t no_room_us = 0;  // workers waited for room, the sum over the workers
};

// A run through a data set that an iterator gives. A stage stands after the stage that reads it.
struct PipelineReport {
  std::string iterator;  // its name; empty if it has none
  std::string device;
  std::string session = "";  // the handle of the session that alone sees it; empty: all do
  int64_t age_us = 0;        // time since it began
  std::vector<StageReport> stages = {};
};

// The pipelines that kernels run for the iterators of a ResourceStore.
//
// Owner:    its store.
// Threads:  any.
class RunningPipelines final : public Resource {
 public:
  static constexpr absl::string_view kTypeName = "RunningPipelines";

  class Pipeline {
   public:
    virtual ~Pipeline() = default;
    virtual PipelineReport Report() const = 0;  // from any thread
  };

  // Adds to those of the store. It is listed while it lives.
  static absl::Status Add(ResourceStore& store, std::weak_ptr<const Pipeline> pipeline);
  // The reports of the store's pipelines, the oldest first.
  static std::vector<PipelineReport> ReportsOf(const ResourceStore& store);

  std::string ToString() const override { return std::string(kTypeName); }
  absl::string_view type_name() const override { return kTypeName; }

 private:
  absl::Mutex mu_;
  std::vector<std::weak_ptr<const Pipeline>> pipelines_ ABSL_GUARDED_BY(mu_);
  size_t purge_at_ ABSL_GUARDED_BY(mu_) = 16;  // size at which those that have ended are dropped
};

}  // namespace sluice

#endif  // SLUICE_CORE_RUNTIME_PIPELINES_H_
