// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TESTS_GRAPH_TF_PROGRAMS_H_
#define SLUICE_TESTS_GRAPH_TF_PROGRAMS_H_

#include <string>
#include <utility>
#include <vector>

#include "proto/graph.pb.h"

namespace sluice::graph {

// The GraphDefs of a script beside this file, by name. The interpreter of the environment variable
// makes them once. Empty if the variable is not set.
const std::vector<std::pair<std::string, proto::GraphDef>>& TensorFlowPrograms(
    const std::string& variable, const std::string& script = "tf_graphs.py");

}  // namespace sluice::graph

#endif  // SLUICE_TESTS_GRAPH_TF_PROGRAMS_H_
