// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_STATS_SINK_H_
#define SLUICE_KERNELS_COMMON_DATASET_STATS_SINK_H_

#include <cstdint>
#include <string>

namespace sluice::kernels {

// A StatsSink gets what the stages of a run measure about their elements.
//
// Owner:    a data set of the run; it outlives the run.
// Threads:  any.
class StatsSink {
 public:
  virtual ~StatsSink() = default;
  // `number`: the element's, from 0.
  virtual void Add(const std::string& name, double value, int64_t number) = 0;
};

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_STATS_SINK_H_
