// SPDX-License-Identifier: Apache-2.0
// This file is long because it is a table.
#include "transport/options_table.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "transport/rdma_options.h"

namespace sluice::transport {
namespace {

using Fate = OptionField::Fate;
constexpr Fate kApplied = Fate::kApplied, kIgnored = Fate::kIgnored, kRefused = Fate::kRefused;

constexpr absl::string_view kThreads =
    "the server creates its pools when it starts; a session without a target applies it to its own "
    "threads";
constexpr absl::string_view kGpus =
    "the server creates its GPUs when it starts (--gpus and the options after it); a session "
    "without a target applies it to its own";
constexpr absl::string_view kOneGpuDevice = "each GPU is one device, with memory of its own";
constexpr absl::string_view kGpuLimit =
    "each GPU is one device; a session without a target takes the limit of a single virtual device "
    "as that of its GPUs";
constexpr absl::string_view kOneAllocator = "there is one allocator, in the order of the stream";
constexpr absl::string_view kGpuEvents = "completions are found in another way";
constexpr absl::string_view kSameResult = "does not change results";
constexpr absl::string_view kClient = "used by the client only";
constexpr absl::string_view kOtherRuntime = "specific to TensorFlow's runtime";
constexpr absl::string_view kNoXla = "there is no XLA";
constexpr absl::string_view kGroups =
    "groups are formed by their keys, and algorithms are chosen by size, members and hosts";
constexpr absl::string_view kExact = "values keep their precision";
constexpr absl::string_view kHint = "a hint";
constexpr absl::string_view kNoPools =
    "Distributed session does not support session thread pool options";
constexpr absl::string_view kPools =
    "Distributed session does not support session thread pool options; a session without a target "
    "applies it";

constexpr OptionField kTable[] = {
    {"ConfigProto.device_count", kIgnored,
     "the server creates devices when it starts; a session without a target applies CPU and GPU"},
    {"ConfigProto.intra_op_parallelism_threads", kIgnored, kThreads},
    {"ConfigProto.placement_period", kIgnored, "TensorFlow does not use it"},
    {"ConfigProto.device_filters", kApplied,
     "the session has the tasks that match a filter, and the master's own"},
    {"ConfigProto.inter_op_parallelism_threads", kIgnored, kThreads},
    {"ConfigProto.gpu_options.per_process_gpu_memory_fraction", kIgnored, kGpus},
    {"ConfigProto.gpu_options.allocator_type", kIgnored, kOneAllocator},
    {"ConfigProto.gpu_options.deferred_deletion_bytes", kIgnored, kOneAllocator},
    {"ConfigProto.gpu_options.allow_growth", kIgnored, kGpus},
    {"ConfigProto.gpu_options.visible_device_list", kIgnored, kGpus},
    {"ConfigProto.gpu_options.polling_active_delay_usecs", kIgnored, kGpuEvents},
    {"ConfigProto.gpu_options.polling_inactive_delay_msecs", kIgnored, kGpuEvents},
    {"ConfigProto.gpu_options.force_gpu_compatible", kIgnored, kHint},
    {"ConfigProto.gpu_options.experimental.virtual_devices", kIgnored, kGpuLimit},
    {"ConfigProto.gpu_options.experimental.use_unified_memory", kIgnored, kOneGpuDevice},
    {"ConfigProto.gpu_options.experimental.num_dev_to_dev_copy_streams", kIgnored, kHint},
    {"ConfigProto.gpu_options.experimental.collective_ring_order", kIgnored, kGroups},
    {"ConfigProto.gpu_options.experimental.timestamped_allocator", kIgnored, kOneAllocator},
    {"ConfigProto.gpu_options.experimental.kernel_tracker_max_interval", kIgnored, kGpuEvents},
    {"ConfigProto.gpu_options.experimental.kernel_tracker_max_bytes", kIgnored, kGpuEvents},
    {"ConfigProto.gpu_options.experimental.kernel_tracker_max_pending", kIgnored, kGpuEvents},
    {"ConfigProto.gpu_options.experimental.internal_fragmentation_fraction", kIgnored,
     kOneAllocator},
    {"ConfigProto.gpu_options.experimental.use_cuda_malloc_async", kIgnored, kOneAllocator},
    {"ConfigProto.gpu_options.experimental.disallow_retry_on_allocation_failure", kIgnored,
     kOneAllocator},
    {"ConfigProto.gpu_options.experimental.gpu_host_mem_limit_in_mb", kIgnored, kGpus},
    {"ConfigProto.gpu_options.experimental.gpu_host_mem_disallow_growth", kIgnored, kOneAllocator},
    {"ConfigProto.gpu_options.experimental.num_virtual_devices_per_gpu", kIgnored, kOneGpuDevice},
    {"ConfigProto.gpu_options.experimental.gpu_system_memory_size_in_mb", kIgnored, kOneAllocator},
    {"ConfigProto.gpu_options.experimental.populate_pjrt_gpu_client_creation_info", kIgnored,
     kOtherRuntime},
    {"ConfigProto.gpu_options.experimental.node_id", kIgnored, kOtherRuntime},
    {"ConfigProto.gpu_options.experimental.stream_merge_options", kIgnored, kHint},
    {"ConfigProto.allow_soft_placement", kApplied,
     "a node whose device has no kernel for it moves to another device of the same task"},
    {"ConfigProto.log_device_placement", kApplied, "the master logs the device of every node"},
    {"ConfigProto.use_per_session_threads", kRefused, kPools},
    {"ConfigProto.graph_options.enable_recv_scheduling", kIgnored, kHint},
    {"ConfigProto.graph_options.optimizer_options.do_common_subexpression_elimination", kIgnored,
     kSameResult},
    {"ConfigProto.graph_options.optimizer_options.do_constant_folding", kIgnored, kSameResult},
    {"ConfigProto.graph_options.optimizer_options.opt_level", kIgnored, kSameResult},
    {"ConfigProto.graph_options.optimizer_options.do_function_inlining", kIgnored, kSameResult},
    {"ConfigProto.graph_options.optimizer_options.global_jit_level", kIgnored, kNoXla},
    {"ConfigProto.graph_options.optimizer_options.max_folded_constant_in_bytes", kIgnored,
     kSameResult},
    {"ConfigProto.graph_options.optimizer_options.cpu_global_jit", kIgnored, kNoXla},
    {"ConfigProto.graph_options.build_cost_model", kApplied,
     "after each such number of steps of a signature, RunMetadata.cost_graph has the cost of each "
     "node"},
    {"ConfigProto.graph_options.infer_shapes", kIgnored, kClient},
    {"ConfigProto.graph_options.place_pruned_graph", kIgnored,
     "TensorFlow's distributed master clears it"},
    {"ConfigProto.graph_options.enable_bfloat16_sendrecv", kIgnored,
     "tensors cross tasks with all their bits"},
    {"ConfigProto.graph_options.timeline_step", kIgnored, "use RunOptions.trace_level"},
    {"ConfigProto.graph_options.build_cost_model_after", kApplied,
     "number of steps of a signature before build_cost_model starts"},
    {"ConfigProto.graph_options.rewrite_options.layout_optimizer", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.disable_model_pruning", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.constant_folding", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.memory_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.auto_parallel.enable", kRefused,
     "it would run several copies of the graph"},
    {"ConfigProto.graph_options.rewrite_options.auto_parallel.num_replicas", kIgnored,
     "only with auto_parallel.enable"},
    {"ConfigProto.graph_options.rewrite_options.memory_optimizer_target_node_name_scope", kIgnored,
     kSameResult},
    {"ConfigProto.graph_options.rewrite_options.arithmetic_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.dependency_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.loop_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.function_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.debug_stripper", kRefused,
     "it would remove assertions from the graph (OFF is accepted)"},
    {"ConfigProto.graph_options.rewrite_options.meta_optimizer_iterations", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.shape_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.remapping", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.scoped_allocator_optimization", kApplied,
     "ON: reductions of the ops in scoped_allocator_opts.enable_op that do not depend on one "
     "another "
     "become one, up to 32 MB"},
    {"ConfigProto.graph_options.rewrite_options.scoped_allocator_opts", kApplied,
     "with scoped_allocator_optimization"},
    {"ConfigProto.graph_options.rewrite_options.min_graph_nodes", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.pin_to_host_optimization", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.disable_meta_optimizer", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.meta_optimizer_timeout_ms", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.fail_on_optimizer_errors", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.implementation_selector", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.auto_mixed_precision", kIgnored, kExact},
    {"ConfigProto.graph_options.rewrite_options.common_subgraph_elimination", kIgnored,
     kSameResult},
    {"ConfigProto.graph_options.rewrite_options.auto_mixed_precision_mkl", kIgnored, kExact},
    {"ConfigProto.graph_options.rewrite_options.experimental_disable_compressed_tensor_"
     "optimization",
     kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.experimental_disable_folding_quantization_"
     "emulation",
     kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.use_plugin_optimizers", kIgnored,
     "there are no plug-ins"},
    {"ConfigProto.graph_options.rewrite_options.auto_mixed_precision_cpu", kIgnored, kExact},
    {"ConfigProto.graph_options.rewrite_options.experimental_conditional_code_motion", kIgnored,
     kSameResult},
    {"ConfigProto.graph_options.rewrite_options.auto_mixed_precision_onednn_bfloat16", kIgnored,
     kExact},
    {"ConfigProto.graph_options.rewrite_options.disable_tfg_optimizer", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.cpu_layout_conversion", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.optimizers", kIgnored, kSameResult},
    {"ConfigProto.graph_options.rewrite_options.custom_optimizers", kIgnored,
     "there are no plug-ins; TensorFlow's servers skip unknown ones"},
    {"ConfigProto.graph_options.rewrite_options.inter_optimizer_verifier_config", kIgnored,
     kSameResult},
    {"ConfigProto.graph_options.rewrite_options.post_optimization_verifier_config", kIgnored,
     kSameResult},
    {"ConfigProto.operation_timeout_in_ms", kApplied,
     "deadline of each run without its own deadline; 0 or less: none"},
    {"ConfigProto.session_inter_op_thread_pool", kRefused, kPools},
    {"ConfigProto.rpc_options.use_rpc_for_inprocess_master", kIgnored, kClient},
    {"ConfigProto.rpc_options.compression_algorithm", kIgnored, "tensors travel uncompressed"},
    {"ConfigProto.rpc_options.compression_level", kIgnored, "tensors travel uncompressed"},
    {"ConfigProto.rpc_options.cache_rpc_response", kIgnored, "tensors are pushed, not requested"},
    {"ConfigProto.rpc_options.disable_session_connection_sharing", kIgnored, kClient},
    {"ConfigProto.rpc_options.num_channels_per_target", kIgnored, kClient},
    {"ConfigProto.cluster_def", kApplied, "the session uses this cluster"},
    {"ConfigProto.isolate_session_state", kApplied,
     "the session has its own variables and queues, which end with it"},
    {"ConfigProto.transport", kApplied,
     "transports for the session's tensors, among those that the servers allow: \"tcp,grpc\", "
     "\"-shm\""},
    {"ConfigProto.connect_timeout_in_ms", kApplied,
     "time budget for tasks that are not up when the session is created; 0: 60 s. Our client sets "
     "30 s, or the seconds in SLUICE_CONNECT_TIMEOUT, and waits for its target equally long"},
    {"ConfigProto.experimental.collective_group_leader", kApplied,
     "the task that forms the groups of collective operations; empty: the first by name"},
    {"ConfigProto.experimental.executor_type", kIgnored,
     "there is one executor; a name that TensorFlow does not know gives NOT_FOUND"},
    {"ConfigProto.experimental.recv_buf_max_chunk", kIgnored, kGroups},
    {"ConfigProto.experimental.use_numa_affinity", kIgnored, kHint},
    {"ConfigProto.experimental.collective_deterministic_sequential_execution", kIgnored,
     "operations are matched by their keys, in any order; sums have the same order in every run"},
    {"ConfigProto.experimental.collective_nccl", kApplied,
     "reductions and broadcasts of a group whose members are all GPUs of one task, in one step, "
     "use NCCL, and CollectiveReduce of one GPU in each of several tasks, if all have the same "
     "NCCL; all others, and all without this option, are computed on the host"},
    {"ConfigProto.experimental.share_session_state_in_clusterspec_propagation", kApplied,
     "with cluster_def: the session shares the variables of the tasks"},
    {"ConfigProto.experimental.disable_thread_spinning", kIgnored, kHint},
    {"ConfigProto.experimental.share_cluster_devices_in_session", kIgnored,
     "every worker knows the cluster"},
    {"ConfigProto.experimental.session_metadata", kIgnored, "a label"},
    {"ConfigProto.experimental.optimize_for_static_graph", kApplied,
     "the session refuses extensions of its graph"},
    {"ConfigProto.experimental.enable_mlir_bridge", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.disable_output_partition_graphs", kApplied,
     "the session refuses RunOptions.output_partition_graphs"},
    {"ConfigProto.experimental.xla_fusion_autotuner_thresh", kIgnored, kNoXla},
    {"ConfigProto.experimental.enable_mlir_graph_optimization", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.mlir_bridge_rollout", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.use_tfrt", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.disable_functional_ops_lowering", kIgnored, kSameResult},
    {"ConfigProto.experimental.xla_prefer_single_graph_cluster", kIgnored, kNoXla},
    {"ConfigProto.experimental.disable_optimize_for_static_graph", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.disable_eager_executor_streaming_enqueue", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.enable_multi_host", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.backend_server_port", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.target_tpu", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.target_gpu", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.stream_merge_threshold", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.tfrt_use_ifrt", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.finalize_function_library_runtime", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.finalize_resource_manager", kIgnored, kOtherRuntime},
    {"ConfigProto.experimental.tf2xla_dump_dir", kIgnored, kNoXla},
    {"ConfigProto.experimental.online_cost_analysis", kIgnored, kOtherRuntime},
    {"ConfigProto.share_cluster_devices_in_session", kIgnored, "every worker knows the cluster"},
    {"ConfigProto.pluggable_device_options", kIgnored, "there are no plug-in devices"},

    {"RunOptions.trace_level", kApplied,
     "FULL_TRACE reports the time of every node and transfer of all tasks; lower levels report "
     "nothing, as with TensorFlow's servers"},
    {"RunOptions.timeout_in_ms", kApplied, "deadline of the run"},
    {"RunOptions.inter_op_thread_pool", kIgnored, kThreads},
    {"RunOptions.output_partition_graphs", kApplied,
     "RunMetadata.partition_graphs has the graph that each task ran"},
    {"RunOptions.debug_options.debug_tensor_watch_opts", kApplied,
     "tfdbg: each task writes dumps of its watched tensors (file:// only)"},
    {"RunOptions.debug_options.global_step", kApplied, "written to the dump of a watched step"},
    {"RunOptions.debug_options.reset_disk_byte_usage", kApplied,
     "resets the byte count for TFDBG_DISK_BYTES_LIMIT on the master's task"},
    {"RunOptions.report_tensor_allocations_upon_oom", kIgnored,
     "memory errors always name op, device and size"},
    {"RunOptions.experimental.collective_graph_key", kIgnored, kGroups},
    {"RunOptions.experimental.use_run_handler_pool", kIgnored, kOtherRuntime},
    {"RunOptions.experimental.run_handler_pool_options", kIgnored, kOtherRuntime},
};

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Whether the path has a value other than its default.
bool IsSet(const Message& options, absl::string_view path) {
  const Message* message = &options;
  const std::vector<std::string> parts = absl::StrSplit(path, '.');
  for (size_t i = 0; i < parts.size(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(parts[i]);
    if (field == nullptr) return false;
    const auto* reflection = message->GetReflection();
    if (field->is_repeated()) return reflection->FieldSize(*message, field) > 0;
    if (!reflection->HasField(*message, field)) return false;
    if (i + 1 == parts.size()) {
      // OFF describes the server's normal behaviour.
      return field->cpp_type() != FieldDescriptor::CPPTYPE_ENUM ||
             reflection->GetEnum(*message, field)->name() != "OFF";
    }
    message = &reflection->GetMessage(*message, field);
  }
  return false;
}

template <typename Visit>
void VisitSet(const Message& options, absl::string_view root, Visit visit) {
  for (const OptionField& row : kTable) {
    if (row.path.substr(0, root.size()) != root || row.path[root.size()] != '.') continue;
    const absl::string_view path = row.path.substr(root.size() + 1);
    if (IsSet(options, path)) visit(row, path);
  }
}

constexpr absl::string_view NameOf(Fate fate) {
  switch (fate) {
    case kApplied:
      return "applied";
    case kIgnored:
      return "ignored";
    case kRefused:
      return "refused";
  }
  return "";
}

}  // namespace

absl::Span<const OptionField> OptionTable() { return kTable; }

absl::Status CheckOptions(const Message& options, absl::string_view root) {
  absl::Status status;
  VisitSet(options, root, [&](const OptionField& row, absl::string_view path) {
    if (row.fate != kRefused || !status.ok()) return;
    status = row.why == kPools ? InvalidArgument(kNoPools, " (", path, ").")
                               : Unimplemented(row.path, " is not supported: ", row.why);
  });
  return status;
}

std::vector<std::string> IgnoredOptions(const Message& options, absl::string_view root) {
  std::vector<std::string> ignored;
  VisitSet(options, root, [&](const OptionField& row, absl::string_view path) {
    if (row.fate == kIgnored) ignored.emplace_back(path);
  });
  return ignored;
}

std::string OptionsAsMarkdown() {
  std::string out =
      "# Configuration fields\n\n"
      "`sluice-server --list_options` prints this page; a test compares. A server treats a field "
      "of "
      "`ConfigProto` or\n`RunOptions` in one of three ways:\n\n"
      "* *applied*: the field has its effect.\n"
      "* *ignored*: the field is accepted without effect, because it cannot change a result or "
      "TensorFlow's servers ignore\n  it too. The server logs one line with the names of such "
      "fields.\n"
      "* *refused*: the call fails and names the field, because ignoring it would change a result, "
      "or because TensorFlow's\n  servers refuse it.\n\n"
      "| field | treatment | |\n|---|---|---|\n";
  for (const OptionField& row : kTable)
    absl::StrAppend(&out, "| `", row.path, "` | ", NameOf(row.fate), " | ", row.why, " |\n");
  absl::StrAppend(&out,
                  "\n## RDMA\n\n"
                  "Options of `sluice-server`; `sluice doctor --rdma` shows the value of each and "
                  "where it comes from. [rdma.md](rdma.md)\nsays when to set them.\n\n"
                  "| option | default | |\n|---|---|---|\n");
  for (const RdmaOption& row : RdmaOptions())
    absl::StrAppend(&out, "| `--", row.name, "` | ", row.standard, " | ", row.effect, " |\n");
  out +=
      "\n## Abandoned sessions\n"
      "\nA session stays open when its client ends without closing it. The master closes it "
      "if the client's connection closed\n"
      "within 10 s of its last call, and no call follows for 30 s (a client on this host) "
      "or 10 minutes (elsewhere). A client\n"
      "whose connection was idle before it closed, as a proxy closes it, can come back. A "
      "master keeps at most\n"
      "`--max_sessions` (4096), of them `--max_sessions_per_client` (three quarters) of "
      "one address. Beyond that, the master\n"
      "closes the session that was idle longest, if it has no running step and no call for "
      "`--idle_session_s` (one hour), or\n"
      "one without a call for 10 s whose client has closed its connection. The client of "
      "the closed session gets ABORTED.\n"
      "Without such a session, a new one fails with RESOURCE_EXHAUSTED. Variables stay on "
      "their tasks until `Reset`.\n\n## Limits of sessions\n\n"
      "A call that needs more than a limit fails with RESOURCE_EXHAUSTED. All sessions of one "
      "address together may have ten\ntimes as much as one session.\n\n"
      "| server option | default | limit of a session |\n|---|---|---|\n"
      "| `--max_graph_bytes` | 4 GB | bytes of its graphs with their constants |\n"
      "| `--max_signatures` | 10,000 | compiled sets of feeds, fetches and targets |\n"
      "| `--max_callables` | 10,000 | callables |\n"
      "| `--max_partial_runs` | 10,000 | open partial runs |\n"
      "| `--max_steps` | 100,000 | steps at once |\n";
  return out;
}

}  // namespace sluice::transport
