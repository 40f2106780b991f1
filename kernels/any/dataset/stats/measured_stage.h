// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_STATS_MEASURED_STAGE_H_
#define SLUICE_KERNELS_ANY_DATASET_STATS_MEASURED_STAGE_H_

#include <memory>
#include <string>

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

class StatsSink;

// What is measured of each element.
enum class Measure {
  kLatency,  // the microseconds that it took
  kBytes,
};

// The stage's elements, which are measured under a name. It has no state of its own.
std::unique_ptr<Stage> MeasuredStage(std::unique_ptr<Stage> stage, Measure measure,
                                     std::string name, StatsSink* stats);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_STATS_MEASURED_STAGE_H_
