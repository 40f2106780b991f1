// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_SHARDS_H_
#define SLUICE_KERNELS_ANY_DATASET_SHARDS_H_

#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// The elements of `input` whose number is `index` modulo `shards`. With `require_non_empty`, an
// input with fewer elements than shards is an error.
RefPtr<const DataSet> MakeShard(RefPtr<const DataSet> input, int64_t shards, int64_t index,
                                bool require_non_empty);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_SHARDS_H_
