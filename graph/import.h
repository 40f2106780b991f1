// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_IMPORT_H_
#define SLUICE_GRAPH_IMPORT_H_

#include <cstdint>
#include <string>

#include "graph/graph.h"

namespace sluice::proto {
class GraphDef;
}

namespace sluice::graph {

struct ImportOptions {
  bool from_client = true;  // refuse names and ops that are reserved for the runtime
  int64_t max_nodes = 5'000'000;
};

// Adds the nodes of `def` to `graph`, which may already have nodes that they refer to. After an
// error the graph is unchanged. Input from the wire is checked here, once: names, inputs,
// attributes, dtypes, cycles, versions. INVALID_ARGUMENT names the node. An unknown op is accepted;
// the first step that needs it fails.
absl::Status Import(const proto::GraphDef& def, const ImportOptions& options, Graph& graph);

// The maximal number of outputs of an unknown op. It has as many as its consumers use.
constexpr int kMaxUnknownOutputs = 1 << 16;

// Parses "n:k", "n" or "^n"; INVALID_ARGUMENT for anything else. Output is kControl for "^n".
struct TensorName {
  std::string node;
  int output = 0;
};
absl::StatusOr<TensorName> ParseTensorName(absl::string_view text);

// The graph as a GraphDef, with the functions that it can call. Nodes are in id order, control
// inputs come last, `device` is the placed device, else the requested one. RESOURCE_EXHAUSTED names
// the node of a value that no message can hold.
absl::Status Export(const Graph& graph, proto::GraphDef* def);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_IMPORT_H_
