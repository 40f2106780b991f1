// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_COMMON_DATASET_GRAPH_READ_SETS_H_
#define SLUICE_KERNELS_COMMON_DATASET_GRAPH_READ_SETS_H_

#include <memory>
#include <vector>

#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// Calls a reader_func with a data set of the data sets `sets`, and begins the data set that it
// returns, whose elements must fit `spec`.
absl::StatusOr<std::unique_ptr<Stage>> BeginReading(const CapturedFunction& reader,
                                                    std::vector<RefPtr<const DataSet>> sets,
                                                    const ElementSpec& spec,
                                                    const Running& running);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_COMMON_DATASET_GRAPH_READ_SETS_H_
