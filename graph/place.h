// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PLACE_H_
#define SLUICE_GRAPH_PLACE_H_

#include <string>
#include <vector>

#include "core/device_name.h"
#include "core/runtime/kernel_table.h"
#include "graph/graph.h"

namespace sluice::graph {

// A device for the placer: only data, not a live device.
struct PlaceableDevice {
  std::string name;  // full
  DeviceName parsed;
  std::string type;
  const KernelTable* kernels = nullptr;  // of its task; outlives the call
};

struct PlaceOptions {
  bool allow_soft_placement = false;
  std::string no_gpu = "";  // why a task has no GPU, for the error of a node that requests one
};

// Places every node without a `device`. Nodes joined by references and resources, or by `_class`,
// form a group. Its requests are merged, and it goes to the first device, by type and then by name,
// that has kernels for all of it. A Const or a similar node follows its only consumer; Shape and
// similar nodes follow their input. Nodes with a device keep it. An op without any kernel is placed
// by its request or with its neighbours; the step that needs it fails later. INVALID_ARGUMENT names
// node, request and available devices.
absl::Status Place(Graph& graph, const std::vector<PlaceableDevice>& devices,
                   const PlaceOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PLACE_H_
