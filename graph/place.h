// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PLACE_H_
#define SLUICE_GRAPH_PLACE_H_

#include <string>
#include <vector>

#include "core/device_name.h"
#include "core/runtime/kernel_table.h"
#include "graph/graph.h"

namespace sluice::graph {

// A device as the placer sees it: data, not a live thing.
struct PlaceableDevice {
  std::string name;  // full
  DeviceName parsed;
  std::string type;
  const KernelTable* kernels = nullptr;  // of its task; outlives the call
};

struct PlaceOptions {
  bool allow_soft_placement = false;
};

// Gives every node without a `device` one. Nodes joined by references and resources, or by
// `_class`, form a group; its requests are merged, and it goes to the first device that has kernels
// for all of it: by type, then by name. A Const and its like follow their only consumer, Shape and
// its like their input. Nodes that have a device keep it. An op without any kernel is placed by its
// request or with its neighbours: the step that needs it fails later. INVALID_ARGUMENT names node,
// request and the devices there are.
absl::Status Place(Graph& graph, const std::vector<PlaceableDevice>& devices,
                   const PlaceOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PLACE_H_
