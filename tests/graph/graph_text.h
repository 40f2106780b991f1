// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_GRAPH_GRAPH_TEXT_H_
#define SLUICE_TESTS_GRAPH_GRAPH_TEXT_H_

#include <memory>
#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/place.h"

namespace sluice::graph {

// A graph from a small text, statements separated by line ends or semicolons:
//
//   a = Const(2)                      a value: int32, float with a point, [1, 2] a vector
//   v = VariableV2[shape=[2], dtype=float] @/job:ps
//   c = Add(a, b:1, ^v)               inputs; ^ is a control input; names may be used before they
//   are defined
//
// Attributes are written as in graph/ops; types and counts that follow from the inputs are
// optional. The requested device follows @, the device of a placed node @@; job:task and
// job:task:id are short for a full CPU name. An error in the text ends the program.
std::unique_ptr<Graph> FromText(absl::string_view text);

// The nodes in order of their names, as statements without attributes; placed nodes have their
// devices.
std::string ToText(const Graph& graph);

// "job:task" or "job:task:id" in full; other text as it is.
std::string FullDevice(absl::string_view text);

// Devices by short or full names, all with one kernel table (null: no kernels at all).
std::vector<PlaceableDevice> Devices(const std::vector<std::string>& names,
                                     const KernelTable* kernels);

}  // namespace sluice::graph

#endif  // SLUICE_TESTS_GRAPH_GRAPH_TEXT_H_
