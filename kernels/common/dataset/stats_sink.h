// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_STATS_SINK_H_
#define SLUICE_KERNELS_COMMON_DATASET_STATS_SINK_H_

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"

namespace sluice::kernels {

// A StatsSink gets what the stages of a run measure about their elements.
//
// Owner:    a data set of the run; it outlives the run.
// Threads:  any. It calls nobody back, so a caller may hold a lock.
class StatsSink {
 public:
  virtual ~StatsSink() = default;
  // Adds a value to a histogram. `number`: the element's, from 0.
  virtual void Add(const std::string& name, double value, int64_t number) = 0;
  // Sets a scalar.
  virtual void Set(const std::string& name, double value, int64_t number) = 0;
};

// A stage in statistics.
struct StageName {
  std::string node;  // as in the graph that TensorFlow runs
  std::string op;
  bool later_release = false;  // than 1.15
};

// Where one stage records statistics; perhaps nowhere.
//
// Threads:  any.
class StageStats {
 public:
  StageStats() = default;
  // Nowhere if one of them is null. Both outlive it.
  StageStats(StatsSink* sink, const StageName* name)
      : sink_(name == nullptr ? nullptr : sink), name_(name) {}

  explicit operator bool() const { return sink_ != nullptr; }
  // REQUIRES: it records somewhere.
  const std::string& op() const { return name_->op; }
  void Add(absl::string_view what, double value, int64_t number) const {
    sink_->Add(absl::StrCat(name_->node, "::", what), value, number);
  }
  void Set(absl::string_view what, double value, int64_t number) const {
    sink_->Set(absl::StrCat(name_->node, "::", what), value, number);
  }

 private:
  StatsSink* sink_ = nullptr;
  const StageName* name_ = nullptr;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_STATS_SINK_H_
