#include "master/compile.h"

#include "absl/algorithm/container.h"
#include "absl/time/clock.h"
#include "graph/import.h"
#include "graph/passes/debug_watches.h"
#include "graph/shape_inference.h"
#include "master/client_edges.h"
#include "master/gather.h"
#include "proto/graph.pb.h"

namespace sluice::master {
namespace {

using PartitionGraphs = std::vector<graph::TaskPartition>;

// The dtype each feed must have, so that a wrong one is refused before anything runs.
std::vector<DType> FeedTypes(const graph::Graph& graph, const graph::Signature& signature) {
  std::vector<DType> types;
  for (const std::string& feed : signature.feeds) {
    auto name = graph::ParseTensorName(feed);
    const graph::Node* node = name.ok() ? graph.Find(name->node) : nullptr;
    const bool known = node != nullptr && name->output >= 0 && name->output < node->num_outputs();
    types.push_back(known ? RemoveRef(node->output_types[name->output]) : kInvalid);
  }
  return types;
}

// Copies of what the debugger watches, in every partition.
absl::Status Watch(const graph::Signature& signature, const CompileContext& context,
                   const PartitionGraphs& parts) {
  if (signature.watches.empty()) return absl::OkStatus();
  for (const graph::TaskPartition& part : parts) {
    const auto task =
        absl::c_find_if(*context.tasks, [&](const auto& t) { return t.task == part.task; });
    if (task == context.tasks->end()) return Internal("no task ", part.task, " in the session");
    SLUICE_RETURN_IF_ERROR(
        graph::InsertDebugWatches(signature.watches, *task->kernels, *part.graph));
  }
  return absl::OkStatus();
}

absl::Status Register(const PartitionGraphs& parts, const CompileContext& context,
                      CompiledGraph& compiled) {
  const std::vector<std::string> debug_urls = UrlsOf(compiled.signature.watches);
  Gather<uint64_t> handles(parts.size());
  transport::CallOptions options;
  options.deadline = context.deadline;
  for (size_t i = 0; i < parts.size(); ++i) {
    auto def = std::make_shared<proto::GraphDef>();
    SLUICE_RETURN_IF_ERROR(graph::Export(*parts[i].graph, def.get()));
    CompiledGraph::Partition& partition = compiled.partitions.emplace_back();
    partition.task = parts[i].task;
    partition.graph = def;
    SLUICE_ASSIGN(partition.worker, context.cluster->Worker(partition.task));
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    const CompiledGraph::Partition& partition = compiled.partitions[i];
    partition.worker->Register({context.session, partition.graph, debug_urls}, options,
                               handles.Reply(i));
  }
  auto answers = handles.Wait();
  for (size_t i = 0; i < parts.size(); ++i) {
    if (answers[i].ok()) compiled.partitions[i].handle = *answers[i];
  }
  return FirstError(answers);
}

}  // namespace

void Deregister(const CompiledGraph& compiled, const std::string& session) {
  transport::CallOptions options;
  options.deadline = absl::Now() + absl::Seconds(10);
  for (const CompiledGraph::Partition& partition : compiled.partitions) {
    if (partition.handle != 0)
      partition.worker->Deregister(session, partition.handle, options, [](const absl::Status&) {});
  }
}

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
  if (context.partial_run) compiled->fetch_needs = FetchNeeds(*pruned, signature);
  SLUICE_ASSIGN(PartitionGraphs parts, graph::Partition(std::move(pruned), context.partition));
  // The master's own part comes last: it runs on the thread that starts the others.
  absl::c_stable_partition(parts, [&](const graph::TaskPartition& part) {
    return part.task != context.cluster->own_task();
  });
  if (context.partial_run) {
    for (graph::TaskPartition& part : parts) SLUICE_RETURN_IF_ERROR(AwaitClient(*part.graph));
  }
  SLUICE_RETURN_IF_ERROR(Watch(signature, context, parts));
  if (absl::Status status = Register(parts, context, *compiled); !status.ok()) {
    Deregister(*compiled, context.session);  // what other workers did register
    return status;
  }
  return compiled;
}

}  // namespace sluice::master
