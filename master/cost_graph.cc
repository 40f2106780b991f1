// SPDX-License-Identifier: Apache-2.0
#include "master/cost_graph.h"

#include <cstdint>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "graph/all_ops.h"
#include "proto/cost_graph.pb.h"
#include "proto/graph.pb.h"
#include "proto/step_stats.pb.h"

namespace sluice::master {
namespace {

using Ids = absl::flat_hash_map<absl::string_view, int32_t>;

// All runs of one node.
struct Cost {
  int64_t micros = 0;
  const proto::NodeExecStats* last = nullptr;
};

absl::flat_hash_map<absl::string_view, Cost> CostsByName(const proto::StepStats& stats) {
  absl::flat_hash_map<absl::string_view, Cost> costs;
  for (const proto::DeviceStepStats& device : stats.dev_stats()) {
    for (const proto::NodeExecStats& run : device.node_stats()) {
      Cost& cost = costs[run.node_name()];
      cost.micros += run.op_end_rel_micros();
      cost.last = &run;
    }
  }
  return costs;
}

void AddInputs(const proto::NodeDef& node, const Ids& ids, proto::CostGraphDef::Node* cost) {
  for (absl::string_view input : node.input()) {
    const bool control = absl::ConsumePrefix(&input, "^");
    int32_t port = 0;
    if (const size_t colon = input.rfind(':'); !control && colon != absl::string_view::npos) {
      if (absl::SimpleAtoi(input.substr(colon + 1), &port)) input = input.substr(0, colon);
    }
    auto from = ids.find(input);
    if (from == ids.end()) continue;
    if (control) {
      cost->add_control_input(from->second);
    } else {
      auto* info = cost->add_input_info();
      info->set_preceding_node(from->second);
      info->set_preceding_port(port);
    }
  }
}

void AddRuns(const Cost& ran, proto::CostGraphDef::Node* cost) {
  cost->set_compute_cost(ran.micros);
  for (const proto::NodeOutput& output : ran.last->output()) {
    const proto::TensorDescription& tensor = output.tensor_description();
    while (cost->output_info_size() <= output.slot()) {
      cost->add_output_info()->set_alias_input_port(-1);
    }
    auto* info = cost->mutable_output_info(output.slot());
    info->set_size(tensor.allocation_description().requested_bytes());
    info->set_dtype(tensor.dtype());
    *info->mutable_shape() = tensor.shape();
  }
}

bool LeavesItsTask(const proto::NodeDef& node) {
  const OpDef* op = graph::AllOps().Find(node.op());
  return op != nullptr && (op->kind == OpKind::kSend || op->kind == OpKind::kRetval);
}

}  // namespace

void AddCosts(const std::vector<std::shared_ptr<const proto::GraphDef>>& partitions,
              const proto::StepStats& stats, proto::CostGraphDef* costs) {
  const auto ran = CostsByName(stats);
  int32_t next = 0;
  for (const auto& partition : partitions) {
    Ids ids;  // names in one partition: others may have a Recv of the same name
    for (const proto::NodeDef& node : partition->node()) ids.emplace(node.name(), next++);
    for (const proto::NodeDef& node : partition->node()) {
      proto::CostGraphDef::Node* cost = costs->add_node();
      cost->set_name(node.name());
      cost->set_device(node.device());
      cost->set_id(ids.at(node.name()));
      cost->set_is_final(LeavesItsTask(node));
      AddInputs(node, ids, cost);
      if (auto runs = ran.find(node.name()); runs != ran.end()) AddRuns(runs->second, cost);
    }
  }
}

}  // namespace sluice::master
