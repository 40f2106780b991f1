// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_MASTER_COST_GRAPH_H_
#define SLUICE_MASTER_COST_GRAPH_H_

#include <memory>
#include <vector>

namespace sluice::proto {
class CostGraphDef;
class GraphDef;
class StepStats;
}  // namespace sluice::proto

namespace sluice::master {

// Adds every node of the partitions with its cost in a step: the time of all its runs in
// microseconds, and the shapes and bytes of its last outputs. A node that did not run (a constant,
// a branch not taken) has no outputs and no time.
void AddCosts(const std::vector<std::shared_ptr<const proto::GraphDef>>& partitions,
              const proto::StepStats& stats, proto::CostGraphDef* costs);

}  // namespace sluice::master

#endif  // SLUICE_MASTER_COST_GRAPH_H_
