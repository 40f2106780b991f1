// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_MAPS_H_
#define SLUICE_KERNELS_ANY_DATASET_MAPS_H_

#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The function's results for each element of `input`, one call at a time. If it keeps the count, an
// OUT_OF_RANGE of the function is an error; else it ends the data set.
RefPtr<const DataSet> MakeMap(ElementSpec spec, RefPtr<const DataSet> input,
                              CapturedFunction function, bool keeps_count);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_MAPS_H_
