#ifndef SLUICE_GRAPH_PLACE_H_
#define SLUICE_GRAPH_PLACE_H_

#include <string>
#include <vector>

#include "core/device_name.h"
#include "core/kernel_table.h"
#include "graph/graph.h"

namespace sluice::graph {

// A device as the placer sees it: data, not a live thing.
struct PlaceableDevice {
  std::string name;                     // full
  DeviceName parsed;
  std::string type;
  const KernelTable* kernels = nullptr; // of its task; outlives the call
};

struct PlaceOptions {
  bool allow_soft_placement = false;
};

// Gives every node without a `device` one (protocol.md 5.3: groups by reference and resource edges and by _class, requested
// specs merged, supported types, generator and metadata heuristics). Nodes that have one keep it. An op without any kernel is
// placed by its request or with its neighbours: the step that needs it fails later. INVALID_ARGUMENT names node, request and
// the devices there are.
absl::Status Place(Graph& graph, const std::vector<PlaceableDevice>& devices, const PlaceOptions& options);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PLACE_H_
