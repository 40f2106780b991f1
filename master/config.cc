#include "master/config.h"

#include "proto/config.pb.h"

namespace sluice::master {

absl::StatusOr<SessionConfig> SessionConfig::From(const proto::ConfigProto& config) {
  if (config.use_per_session_threads()) {
    return InvalidArgument(
        "Distributed session does not support session thread pool options "
        "(use_per_session_threads).");
  }
  if (config.session_inter_op_thread_pool_size() > 0) {
    return InvalidArgument(
        "Distributed session does not support session thread pool options "
        "(session_inter_op_thread_pool).");
  }
  if (config.has_cluster_def() && config.cluster_def().job_size() > 0) {
    return Unimplemented(
        "ConfigProto.cluster_def: sessions that bring their own cluster are not supported yet");
  }
  if (config.graph_options().enable_bfloat16_sendrecv()) {
    return Unimplemented("GraphOptions.enable_bfloat16_sendrecv is not supported yet");
  }
  if (config.operation_timeout_in_ms() < 0) {
    return InvalidArgument("operation_timeout_in_ms must not be negative, got ",
                           config.operation_timeout_in_ms());
  }
  SessionConfig out;
  out.allow_soft_placement = config.allow_soft_placement();
  out.log_device_placement = config.log_device_placement();
  out.isolate_session_state = config.isolate_session_state();
  out.static_graph = config.experimental().optimize_for_static_graph();
  out.operation_timeout_ms = config.operation_timeout_in_ms();
  out.device_filters.assign(config.device_filters().begin(), config.device_filters().end());
  return out;
}

std::vector<ConfigField> ConfigTable() {
  using enum ConfigField::Fate;
  return {
      {"device_count", kIgnored, "devices are made when the server starts"},
      {"intra_op_parallelism_threads", kIgnored, "the server's pools are made when it starts"},
      {"inter_op_parallelism_threads", kIgnored, "the server's pools are made when it starts"},
      {"placement_period", kIgnored, "unused since TensorFlow 0.x"},
      {"device_filters", kApplied,
       "only matching tasks and the master's own are contacted and used"},
      {"gpu_options", kIgnored, "a task without GPU has nothing to apply them to"},
      {"allow_soft_placement", kApplied, ""},
      {"log_device_placement", kApplied, ""},
      {"use_per_session_threads", kRefused, "TensorFlow's distributed master refuses it"},
      {"graph_options.enable_recv_scheduling", kIgnored, "a scheduling hint"},
      {"graph_options.optimizer_options", kIgnored, "results are the same at every level"},
      {"graph_options.build_cost_model", kIgnored, "no cost model is made"},
      {"graph_options.infer_shapes", kIgnored, "acts in the client"},
      {"graph_options.place_pruned_graph", kIgnored, "TensorFlow's distributed master clears it"},
      {"graph_options.enable_bfloat16_sendrecv", kRefused, "would change values"},
      {"graph_options.timeline_step", kIgnored, "unused by TensorFlow's distributed master"},
      {"graph_options.build_cost_model_after", kIgnored, "no cost model is made"},
      {"graph_options.rewrite_options", kIgnored, "results are the same with every rewrite"},
      {"operation_timeout_in_ms", kApplied, "deadline of each run of the session"},
      {"session_inter_op_thread_pool", kRefused, "TensorFlow's distributed master refuses it"},
      {"rpc_options", kIgnored, "acts in the client"},
      {"cluster_def", kRefused, "not supported yet"},
      {"isolate_session_state", kApplied, ""},
      {"experimental.optimize_for_static_graph", kApplied, "ExtendSession is FAILED_PRECONDITION"},
      {"experimental", kIgnored, "hints and switches of TensorFlow's own back ends"},
      {"share_cluster_devices_in_session", kIgnored, "every worker knows the cluster's devices"},
      {"pluggable_device_options", kIgnored, "there are no plug-in devices"},
  };
}

}  // namespace sluice::master
