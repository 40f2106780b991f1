// SPDX-License-Identifier: Apache-2.0
#include "master/pipeline.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "core/debug_watch.h"
#include "graph/argument_memory.h"
#include "graph/import.h"
#include "graph/lowering/lower_functions.h"
#include "graph/passes/nccl_collectives.h"
#include "graph/passes/nccl_members.h"
#include "graph/passes/passes.h"
#include "graph/signature.h"
#include "master/client_edges.h"
#include "master/registration.h"

namespace sluice::master {
namespace {

absl::Status Optimise(const graph::Signature& signature, const CompileContext& context,
                      const graph::TaskPartition& part) {
  const auto task =
      absl::c_find_if(*context.tasks, [&](const auto& t) { return t.task == part.task; });
  if (task == context.tasks->end()) return Internal("no task ", part.task, " in the session");
  return graph::RunPasses(*part.graph, {task->kernels.get(), signature.watches, context.fused_ops});
}

}  // namespace

// ---- At create and at extend, on the session's graph.

absl::Status AddNodes(const proto::GraphDef& def, graph::Graph& graph) {
  return graph::Import(def, {}, graph);
}

absl::Status LowerFunctions(const std::vector<graph::PlaceableDevice>& devices, int first_id,
                            graph::Graph& graph) {
  graph::LowerOptions options;
  options.first_id = first_id;
  for (const graph::PlaceableDevice& device : devices) {
    options.devices.push_back(device.parsed);
    if (std::string task = device.parsed.task_name(); !absl::c_linear_search(options.tasks, task))
      options.tasks.push_back(std::move(task));
  }
  return graph::LowerFunctions(graph, options);
}

absl::Status PlaceNodes(const std::vector<graph::PlaceableDevice>& devices,
                        const graph::PlaceOptions& options, graph::Graph& graph) {
  return graph::Place(graph, devices, options);
}

// ---- For a signature, on a copy.

absl::StatusOr<std::shared_ptr<const CompiledGraph>> Compile(const graph::Graph& graph,
                                                             const graph::Signature& signature,
                                                             const CompileContext& context) {
  auto compiled = std::make_shared<CompiledGraph>();
  compiled->signature = signature;
  compiled->feed_types = FeedTypes(graph, signature);
  SLUICE_RETURN_IF_ERROR(CheckWatches(signature.watches));
  SLUICE_RETURN_IF_ERROR(CheckFedOnce(signature, context.connections));

  std::unique_ptr<graph::Graph> pruned = graph.Clone();
  SLUICE_RETURN_IF_ERROR(Connect(context.connections, *pruned));
  SLUICE_RETURN_IF_ERROR(graph::ApplySignature(signature, context.client_device, *pruned));
  if (context.collective_nccl) SLUICE_RETURN_IF_ERROR(graph::UseNcclForCollectives(*pruned));
  SLUICE_RETURN_IF_ERROR(graph::SplitNcclOps(*pruned));
  if (context.partial_run) compiled->fetch_needs = FetchNeeds(*pruned, signature);

  SLUICE_ASSIGN(const graph::PartitionOptions memory,
                graph::FindArgumentMemory(*pruned, *context.devices));
  SLUICE_ASSIGN(auto parts, graph::Partition(std::move(pruned), memory));
  // The master's own part comes last: it runs on the thread that starts the others.
  absl::c_stable_partition(parts, [&](const graph::TaskPartition& part) {
    return part.task != context.cluster->own_task();
  });
  if (context.partial_run) {
    for (graph::TaskPartition& part : parts) SLUICE_RETURN_IF_ERROR(AwaitClient(*part.graph));
  }
  for (const graph::TaskPartition& part : parts)
    SLUICE_RETURN_IF_ERROR(Optimise(signature, context, part));

  if (absl::Status status =
          Register(parts, context.session, *context.cluster, context.deadline, *compiled);
      !status.ok()) {
    Deregister(*compiled, context.session);  // only the workers that registered
    return status;
  }
  return compiled;
}

}  // namespace sluice::master
