// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_ALL_OPS_H_
#define SLUICE_GRAPH_ALL_OPS_H_

#include "core/op/op_registry.h"

namespace sluice::graph {

// The ops of graph/ops/*.ops, parsed at the first call. Lives as long as the program.
const OpRegistry& AllOps();

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_ALL_OPS_H_
