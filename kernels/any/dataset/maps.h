// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_KERNELS_ANY_DATASET_MAPS_H_
#define SLUICE_KERNELS_ANY_DATASET_MAPS_H_

#include "core/op/producer_version.h"
#include "kernels/common/dataset/captured_function.h"
#include "kernels/common/dataset/data_set.h"

namespace sluice::kernels {

// How many elements a map has.
struct MapCount {
  explicit MapCount(const NodeSpec& node)
      : kept(GetAttrOr<bool>(node.attrs, "preserve_cardinality", false)),
        stated(kept || IsFrom1x(node)) {}

  bool kept;    // as many as the input: an OUT_OF_RANGE of the function is an error, not the end
  bool stated;  // the cardinality is the input's; 1.15 says so of each map
};

// The function's results for each element of `input`, one call at a time.
RefPtr<const DataSet> MakeMap(ElementSpec spec, RefPtr<const DataSet> input,
                              CapturedFunction function, MapCount count);

}  // namespace sluice::kernels

#endif  // SLUICE_KERNELS_ANY_DATASET_MAPS_H_
