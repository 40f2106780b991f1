// SPDX-License-Identifier: Apache-2.0
#include "client/session.h"

#include <algorithm>
#include <map>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "client/gpu_options.h"
#include "client/open_session.h"
#include "client/wait_while.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "server/server.h"
#include "transport/debug_options.h"
#include "transport/pending_reply.h"
#include "transport/rpc/connect.h"

namespace sluice::client {
namespace {

using transport::PendingReply;

absl::StatusOr<proto::ConfigProto> Parse(const std::string& bytes) {
  proto::ConfigProto config;
  if (!config.ParseFromString(bytes))
    return InvalidArgument("config is not a serialised ConfigProto");
  return config;
}

// The number of threads of a local session's one pool: the sum of all pools in the options. 0: one
// per core.
absl::StatusOr<int> InterOpThreads(const proto::ConfigProto& config) {
  // If negative, operations run on the caller's thread, so there is one.
  if (config.session_inter_op_thread_pool().empty())
    return config.inter_op_parallelism_threads() < 0 ? 1 : config.inter_op_parallelism_threads();
  int threads = 0;
  for (const proto::ThreadPoolOptionProto& pool : config.session_inter_op_thread_pool()) {
    if (pool.num_threads() < 0) {
      return InvalidArgument("num_threads of a session_inter_op_thread_pool must not be negative, ",
                             "got ", pool.num_threads());
    }
    if (pool.num_threads() == 0) return 0;
    threads += pool.num_threads();
  }
  return threads;
}

// A local session has applied these when it made its task; a master would refuse them.
void ClearMade(proto::ConfigProto& config) {
  config.clear_gpu_options();
  config.mutable_device_count()->erase("GPU");
  config.clear_intra_op_parallelism_threads();
  config.clear_inter_op_parallelism_threads();
  config.clear_use_per_session_threads();
  config.clear_session_inter_op_thread_pool();
}

// Each local session is its own cluster of one task. Variables live as long as the session, as in a
// direct session of TensorFlow.
absl::StatusOr<std::shared_ptr<server::Server>> LocalTask(const SessionOptions& options) {
  server::ServerOptions local;
  local.job = "localhost";
  local.cpu_devices = options.cpu_devices;
  local.asynchronous_devices = options.asynchronous_devices;
  SLUICE_ASSIGN(const proto::ConfigProto config, Parse(options.config));
  SLUICE_ASSIGN(local.inter_op_threads, InterOpThreads(config));
  local.intra_op_threads = config.intra_op_parallelism_threads();
  SLUICE_ASSIGN(local.gpus, GpuOptionsOf(config));
  SLUICE_ASSIGN(std::unique_ptr<server::Server> server, server::Server::InProcess(local));
  return std::shared_ptr<server::Server>(std::move(server));
}

absl::StatusOr<std::unique_ptr<transport::MasterApi>> ConnectMaster(
    const std::string& target, const transport::CredentialFiles& files) {
  SLUICE_ASSIGN(const transport::Credentials credentials, transport::ReadCredentials(files));
  return transport::ConnectGrpcMaster(target, credentials);
}

absl::StatusOr<transport::RunOptions> ToTransport(const RunOptions& options) {
  transport::RunOptions to{options.timeout_ms, options.trace, options.partition_graphs};
  if (!options.debug.empty()) {
    SLUICE_ASSIGN(to.debug, transport::ParseDebugOptions(options.debug));
  }
  return to;
}

// Waits for a call that returns only its status; half a minute at most, unless a time is given.
absl::Status WaitForAck(
    const std::function<void(const transport::CallOptions&, transport::Ack)>& start,
    absl::Duration time = absl::Seconds(30)) {
  auto done = std::make_shared<absl::Notification>();
  auto status = std::make_shared<absl::Status>();
  transport::CallOptions call;
  call.deadline = absl::Now() + time;
  start(call, [done, status](absl::Status s) {
    *status = std::move(s);
    done->Notify();
  });
  done->WaitForNotification();
  return *status;
}

}  // namespace

Session::Session(const Graph* graph, SessionOptions options)
    : graph_(graph), options_(std::move(options)) {}

absl::StatusOr<std::unique_ptr<Session>> Session::Create(const Graph* graph,
                                                         const SessionOptions& options) {
  std::unique_ptr<Session> session(new Session(graph, options));
  SLUICE_RETURN_IF_ERROR(session->Connect());
  return session;
}

Session::~Session() { (void)Close(); }

absl::Status Session::Connect() {
  if (options_.server != nullptr) {
    master_ = &options_.server->master();
    return absl::OkStatus();
  }
  if (options_.target.empty()) {
    SLUICE_ASSIGN(local_, LocalTask(options_));
    master_ = &local_->master();
    return absl::OkStatus();
  }
  SLUICE_ASSIGN(remote_, ConnectMaster(options_.target, options_.credentials));
  master_ = remote_.get();
  return absl::OkStatus();
}

absl::StatusOr<absl::Time> Session::Deadline(int64_t timeout_ms) const {
  const int64_t ms = timeout_ms > 0 ? timeout_ms : options_.operation_timeout_ms;
  if (ms < 0) return InvalidArgument("a timeout must not be negative, got ", ms, " ms");
  return ms == 0 ? absl::InfiniteFuture() : absl::Now() + absl::Milliseconds(ms);
}

absl::Status Session::SendGraph(const std::function<bool()>& go_on) {
  const auto nobody_sends = [this]() ABSL_SHARED_LOCKS_REQUIRED(mu_) { return !sending_; };
  while (true) {
    {
      absl::MutexLock lock(&mu_);
      if (mu_.AwaitWithTimeout(absl::Condition(&nobody_sends), kPoll)) {
        if (closed_) return FailedPrecondition("Session is closed.");
        if (!handle_.empty() && graph_->graph().num_ids() == sent_ids_) return absl::OkStatus();
        sending_ = true;
        break;
      }
    }
    if (go_on != nullptr && !go_on()) return absl::CancelledError("the step was interrupted");
  }
  absl::Status status = Send(go_on);
  absl::MutexLock lock(&mu_);
  sending_ = false;
  return status;
}

absl::Status Session::Send(const std::function<bool()>& go_on) {
  const int ids = graph_->graph().num_ids();
  int sent = 0;
  transport::ExtendSessionRequest extension;
  {
    absl::MutexLock lock(&mu_);
    sent = sent_ids_;
    extension.session = handle_;
    extension.graph_version = version_;
  }
  auto def = std::make_shared<proto::GraphDef>();
  SLUICE_RETURN_IF_ERROR(graph_->Export(sent, def.get()));
  const int interruptions = interruptions_.load();
  const std::function<bool()> proceed = [this, &go_on, interruptions] {
    {
      absl::MutexLock lock(&mu_);
      if (closed_) return false;
    }
    return interruptions_.load() == interruptions && (go_on == nullptr || go_on());
  };
  transport::CreateSessionResult result{extension.session, 0};
  if (extension.session.empty()) {
    SLUICE_ASSIGN(result, Open(def, proceed));
  } else {
    PendingReply<int64_t> extended;
    transport::CallOptions call;
    SLUICE_ASSIGN(call.deadline, Deadline(0));
    call.cancel = extended.cancel();
    extension.graph = def;
    master_->ExtendSession(std::move(extension), call, extended.reply());
    SLUICE_ASSIGN(result.graph_version, WaitWhile(proceed, extended));
  }
  absl::MutexLock lock(&mu_);
  handle_ = std::move(result.session);
  version_ = result.graph_version;
  sent_ids_ = ids;
  return absl::OkStatus();
}

absl::StatusOr<transport::CreateSessionResult> Session::Open(
    std::shared_ptr<const proto::GraphDef> def, const std::function<bool()>& go_on) {
  SLUICE_ASSIGN(proto::ConfigProto config, Parse(options_.config));
  if (options_.allow_soft_placement) config.set_allow_soft_placement(true);
  if (options_.log_device_placement) config.set_log_device_placement(true);
  if (options_.isolate_session_state) config.set_isolate_session_state(true);
  if (options_.operation_timeout_ms > 0)
    config.set_operation_timeout_in_ms(options_.operation_timeout_ms);
  for (const std::string& filter : options_.device_filters) config.add_device_filters(filter);
  if (local_ != nullptr) ClearMade(config);
  OpenSessionArgs args;
  args.master = master_;
  args.graph = std::move(def);
  SLUICE_ASSIGN(args.connect_timeout, ConnectTimeoutOf(config));
  args.config = std::make_shared<proto::ConfigProto>(std::move(config));
  args.target = options_.target;
  SLUICE_ASSIGN(args.deadline, Deadline(0));
  args.go_on = go_on;
  return OpenSession(args);
}

absl::StatusOr<std::vector<Tensor>> Session::Run(const Feeds& feeds,
                                                 const std::vector<std::string>& fetches,
                                                 const std::vector<std::string>& targets,
                                                 const RunOptions& options) {
  SLUICE_RETURN_IF_ERROR(SendGraph(options.go_on));
  transport::RunStepRequest request;
  request.session = handle();
  // A master refuses to fetch a fed tensor, so it is answered here.
  std::vector<const Tensor*> fed(fetches.size(), nullptr);
  for (size_t i = 0; i < fetches.size(); ++i) {
    for (const auto& [name, tensor] : feeds) {
      if (name == fetches[i]) fed[i] = &tensor;
    }
    if (fed[i] == nullptr) request.fetches.push_back(fetches[i]);  // NOLINT: few, and often none
  }
  const auto with_fed = [&fed](std::vector<Tensor> computed) {
    std::vector<Tensor> all;
    auto next = computed.begin();
    all.reserve(fed.size());
    for (const Tensor* tensor : fed) all.push_back(tensor != nullptr ? *tensor : *next++);
    return all;
  };
  if (request.fetches.empty() && targets.empty() && !fetches.empty()) return with_fed({});
  for (const auto& [name, tensor] : feeds) request.feeds.push_back({name, tensor});
  request.targets = targets;
  SLUICE_ASSIGN(request.options, ToTransport(options));
  request.partial_run = options.partial_run;
  SLUICE_ASSIGN(transport::RunStepResult result,
                Step(options, [&](const transport::CallOptions& call, auto reply) {
                  master_->RunStep(std::move(request), call, std::move(reply));
                }));
  return with_fed(std::move(result.fetches));
}

template <typename Start>
absl::StatusOr<transport::RunStepResult> Session::Step(const RunOptions& options,
                                                       const Start& start) {
  SLUICE_ASSIGN(const absl::Time deadline, Deadline(options.timeout_ms));
  PendingReply<transport::RunStepResult> answer;
  transport::CallOptions call;
  call.deadline = deadline;
  call.cancel = answer.cancel();
  {
    absl::MutexLock lock(&runs_mu_);
    runs_.push_back(answer.shared_cancel());
  }
  start(call, answer.reply());
  absl::StatusOr<transport::RunStepResult> result = WaitWhile(options.go_on, answer);
  {
    absl::MutexLock lock(&runs_mu_);
    runs_.erase(std::find(runs_.begin(), runs_.end(), answer.shared_cancel()));
  }
  if (result.ok() && options.metadata != nullptr && result->metadata != nullptr) {
    *options.metadata = result->metadata->SerializeAsString();
  }
  return result;
}

absl::StatusOr<std::string> Session::SetUpPartialRun(const std::vector<std::string>& feeds,
                                                     const std::vector<std::string>& fetches,
                                                     const std::vector<std::string>& targets,
                                                     const std::function<bool()>& go_on) {
  SLUICE_RETURN_IF_ERROR(SendGraph(go_on));
  SLUICE_ASSIGN(const absl::Time deadline, Deadline(0));
  PendingReply<std::string> answer;
  transport::CallOptions call;
  call.deadline = deadline;
  call.cancel = answer.cancel();
  master_->SetUpPartialRun({handle(), feeds, fetches, targets}, call, answer.reply());
  return WaitWhile(go_on, answer);
}

absl::StatusOr<int64_t> Session::MakeCallable(const std::vector<std::string>& feeds,
                                              const std::vector<std::string>& fetches,
                                              const std::vector<std::string>& targets,
                                              const RunOptions& options) {
  SLUICE_RETURN_IF_ERROR(SendGraph(nullptr));
  SLUICE_ASSIGN(const absl::Time deadline, Deadline(options.timeout_ms));
  transport::MakeCallableRequest request;
  request.session = handle();
  request.feeds = feeds;
  request.fetches = fetches;
  request.targets = targets;
  SLUICE_ASSIGN(request.options, ToTransport(options));
  PendingReply<int64_t> answer;
  transport::CallOptions call;
  call.deadline = deadline;
  master_->MakeCallable(std::move(request), call, answer.reply());
  return answer.Wait();
}

absl::StatusOr<std::vector<Tensor>> Session::RunCallable(int64_t callable,
                                                         std::vector<Tensor> feeds,
                                                         const RunOptions& options) {
  transport::RunCallableRequest request{handle(), callable, std::move(feeds)};
  SLUICE_ASSIGN(transport::RunStepResult result,
                Step(options, [&](const transport::CallOptions& call, auto reply) {
                  master_->RunCallable(std::move(request), call, std::move(reply));
                }));
  return std::move(result.fetches);
}

absl::Status Session::ReleaseCallable(int64_t callable) {
  return WaitForAck([&](const transport::CallOptions& call, transport::Ack done) {
    master_->ReleaseCallable(handle(), callable, call, std::move(done));
  });
}

void Session::Interrupt() {
  ++interruptions_;
  std::vector<std::shared_ptr<CancelToken>> runs;
  {
    absl::MutexLock lock(&runs_mu_);
    runs = runs_;
  }
  for (const auto& run : runs) run->Cancel(absl::CancelledError("the step was interrupted"));
}

absl::StatusOr<transport::ListDevicesResult> Session::ListDevices(
    const std::function<bool()>& go_on) {
  SLUICE_RETURN_IF_ERROR(SendGraph(go_on));
  PendingReply<transport::ListDevicesResult> answer;
  transport::CallOptions call;
  call.cancel = answer.cancel();
  master_->ListDevices(handle(), call, answer.reply());
  return WaitWhile(go_on, answer);
}

absl::Status Session::Close() {
  std::string handle;
  {
    absl::MutexLock lock(&mu_);
    if (closed_) return absl::OkStatus();
    closed_ = true;
    // The call in progress ends soon.
    mu_.Await(absl::Condition(
        +[](bool* sending) { return !*sending; }, &sending_));
    handle = handle_;
  }
  if (handle.empty()) return absl::OkStatus();
  return WaitForAck([&](const transport::CallOptions& call, transport::Ack done) {
    master_->CloseSession(handle, call, std::move(done));
  });
}

std::string Session::handle() {
  absl::MutexLock lock(&mu_);
  return handle_;
}

absl::Status Session::Reset(const std::string& target, const std::vector<std::string>& containers,
                            const std::vector<std::string>& device_filters, int64_t timeout_ms,
                            const transport::CredentialFiles& files) {
  SLUICE_ASSIGN(auto master, ConnectMaster(target, files));
  const auto reset = [&](const transport::CallOptions& call, transport::Ack done) {
    master->Reset(containers, device_filters, call, std::move(done));
  };
  return timeout_ms > 0 ? WaitForAck(reset, absl::Milliseconds(timeout_ms)) : WaitForAck(reset);
}

}  // namespace sluice::client
