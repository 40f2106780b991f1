// SPDX-License-Identifier: Apache-2.0
#include "master/config.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "proto/config.pb.h"
#include "transport/options_table.h"
#include "transport/selection/transport_table.h"

namespace sluice::master {
namespace {

absl::Status CheckExecutor(absl::string_view type) {
  if (type.empty() || type == "DEFAULT" || type == "SINGLE_THREADED_EXECUTOR")
    return absl::OkStatus();
  return NotFound("No executor factory registered for the given executor type: ", type,
                  " (ConfigProto.experimental.executor_type): it is DEFAULT, "
                  "SINGLE_THREADED_EXECUTOR or empty");
}

// The name of a task, in its full form.
absl::StatusOr<std::string> CollectiveLeader(const std::string& text) {
  if (text.empty()) return text;
  auto task = DeviceName::Parse(text);
  if (!task.ok() || !task->job || !task->task)
    return InvalidArgument("ConfigProto.experimental.collective_group_leader \"", text,
                           "\" is not the name of a task");
  return task->task_name();
}

}  // namespace

absl::StatusOr<SessionConfig> SessionConfig::From(const proto::ConfigProto& config) {
  SLUICE_RETURN_IF_ERROR(transport::CheckOptions(config, "ConfigProto"));
  SLUICE_RETURN_IF_ERROR(CheckExecutor(config.experimental().executor_type()));
  SessionConfig out;
  out.allow_soft_placement = config.allow_soft_placement();
  out.log_device_placement = config.log_device_placement();
  out.isolate_session_state = config.isolate_session_state();
  out.static_graph = config.experimental().optimize_for_static_graph();
  out.no_partition_graphs = config.experimental().disable_output_partition_graphs();
  out.operation_timeout_ms = std::max<int64_t>(0, config.operation_timeout_in_ms());
  out.connect_timeout_ms = std::max<int64_t>(0, config.connect_timeout_in_ms());
  out.costs_every = std::max<int64_t>(0, config.graph_options().build_cost_model());
  out.costs_after = std::max<int64_t>(0, config.graph_options().build_cost_model_after());
  out.device_filters.assign(config.device_filters().begin(), config.device_filters().end());
  out.transport = config.transport();
  SLUICE_RETURN_IF_ERROR(transport::ParseTransports(out.transport).status());
  SLUICE_ASSIGN(out.collective_leader,
                CollectiveLeader(config.experimental().collective_group_leader()));
  out.collective_nccl = config.experimental().collective_nccl();
  const proto::RewriterConfig& rewrites = config.graph_options().rewrite_options();
  if (rewrites.scoped_allocator_optimization() == proto::RewriterConfig::ON) {
    const auto& ops = rewrites.scoped_allocator_opts().enable_op();
    out.fused_ops.assign(ops.begin(), ops.end());
  }
  out.ignored = transport::IgnoredOptions(config, "ConfigProto");
  for (const proto::JobDef& job : config.cluster_def().job()) {
    for (const auto& [task, address] : job.tasks())
      out.cluster.push_back({absl::StrCat("/job:", job.name(), "/replica:0/task:", task), address});
  }
  if (!out.cluster.empty() &&
      !config.experimental().share_session_state_in_clusterspec_propagation())
    out.isolate_session_state = true;
  return out;
}

}  // namespace sluice::master
