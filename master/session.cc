// SPDX-License-Identifier: Apache-2.0
#include "master/session.h"

#include <algorithm>
#include <random>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/clock.h"
#include "core/io/debug_dump.h"
#include "core/log.h"
#include "master/pending_replies.h"
#include "master/pipeline.h"
#include "master/registration.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/graph_debug_info.pb.h"
#include "transport/grpc/connections.h"

namespace sluice::master {
namespace {

constexpr absl::Duration kCloseWait = absl::Seconds(10);

std::string NewHandle() {
  std::random_device random;
  return absl::StrFormat("%08x%08x", random(), random());
}

struct Nothing {};

}  // namespace

Session::Session(std::string handle, SessionConfig config, const Environment& environment)
    : handle_(std::move(handle)), config_(std::move(config)), environment_(environment) {}

absl::StatusOr<std::shared_ptr<Session>> Session::Create(
    const transport::CreateSessionRequest& request, const Environment& environment,
    const Times& times) {
  SLUICE_ASSIGN(SessionConfig config, SessionConfig::From(*request.config));
  std::shared_ptr<Session> session(new Session(NewHandle(), std::move(config), environment));
  if (const auto& ignored = session->config_.ignored; !ignored.empty())
    Log(LogLevel::kInfo, "session ", session->handle_, " ignores ", absl::StrJoin(ignored, ", "));
  if (!session->config_.cluster.empty()) {
    SLUICE_ASSIGN(session->own_cluster_,
                  environment.own_cluster(session->config_.cluster, request.target));
  }
  SLUICE_RETURN_IF_ERROR(session->Open(*request.graph, times));
  return session;
}

absl::Status Session::Open(const proto::GraphDef& graph, const Times& times) {
  {
    absl::MutexLock lock(&extend_mu_);
    SLUICE_RETURN_IF_ERROR(AddGraphBytes(graph));
  }
  // A graph that is wrong is refused before any waiting for tasks.
  auto imported = std::make_unique<graph::Graph>(environment_.ops);
  SLUICE_ASSIGN(const std::vector<std::string> names, cluster().Tasks(config_.device_filters));
  SLUICE_RETURN_IF_ERROR(CheckCollectiveLeader());
  SLUICE_RETURN_IF_ERROR(AddNodes(graph, *imported));
  SLUICE_ASSIGN(tasks_, AwaitTasks(names, times));
  for (const transport::TaskStatus& task : tasks_) {
    for (const DeviceAttributes& device : task.devices) {
      SLUICE_ASSIGN(DeviceName parsed, DeviceName::Parse(device.name));
      placeable_.push_back({device.name, std::move(parsed), device.type, task.kernels.get()});
    }
  }
  client_device_ = tasks_.front().devices.front().name;
  SLUICE_RETURN_IF_ERROR(LowerFunctions(placeable_, 0, *imported));
  SLUICE_RETURN_IF_ERROR(Place(*imported, 0));
  SLUICE_RETURN_IF_ERROR(OpenOnWorkers(times.deadline));
  TakeLines(graph);
  absl::MutexLock lock(&mu_);
  graph_ = std::move(imported);
  return absl::OkStatus();
}

absl::Status Session::CheckCollectiveLeader() const {
  if (config_.collective_leader.empty()) return absl::OkStatus();
  const absl::Status found = cluster().CheckTask(config_.collective_leader);
  return found.ok() ? found
                    : InvalidArgument("ConfigProto.experimental.collective_group_leader: ",
                                      found.message());
}

// A client that says how long tasks are waited for tells its user about the wait.
absl::StatusOr<std::vector<transport::TaskStatus>> Session::AwaitTasks(
    const std::vector<std::string>& names, const Times& times) {
  if (config_.connect_timeout_ms == 0)
    return cluster().AwaitTasks(names, times.deadline, times.cancel, /*report=*/true);
  const absl::Time limit = absl::Now() + absl::Milliseconds(config_.connect_timeout_ms);
  return cluster().AwaitTasks(names, std::min(times.deadline, limit), times.cancel,
                              /*report=*/false);
}

void Session::TakeLines(const proto::GraphDef& graph) {
  if (!graph.has_debug_info()) return;
  absl::MutexLock lock(&mu_);
  auto lines =
      lines_ == nullptr ? std::make_shared<UserLines>() : std::make_shared<UserLines>(*lines_);
  lines->Add(graph.debug_info());
  lines_ = std::move(lines);
}

absl::Status Session::Place(graph::Graph& graph, int first_id) const {
  graph::PlaceOptions options;
  options.allow_soft_placement = config_.allow_soft_placement;
  for (const transport::TaskStatus& task : tasks_) {
    if (!task.no_gpu.empty() && options.no_gpu.empty())
      options.no_gpu = Cat(task.task, ": ", task.no_gpu);
  }
  SLUICE_RETURN_IF_ERROR(PlaceNodes(placeable_, options, graph));
  if (!config_.log_device_placement) return absl::OkStatus();
  for (const graph::Node* node : graph.nodes()) {
    // The client requested these lines; they are written at every log level except off.
    if (node->id() >= first_id && LogEnabled(LogLevel::kError))
      LogLine(LogLevel::kInfo, Cat(node->name(), ": (", node->op(), "): ", node->device));
  }
  return absl::OkStatus();
}

absl::Status Session::OpenOnWorkers(absl::Time deadline) {
  PendingReplies<Nothing> acks(tasks_.size());
  transport::CallOptions options;
  options.deadline = deadline;
  transport::CreateWorkerSession request{handle_, config_.isolate_session_state,
                                         environment_.master, cluster().own_task()};
  request.transport = config_.transport;
  request.collective_leader = config_.collective_leader;
  request.collective_nccl = config_.collective_nccl;
  // A session with its own transports has its own task names, which end in its id.
  if (own_cluster_ != nullptr || !config_.transport.empty())
    request.cluster = cluster().Addresses();
  for (size_t i = 0; i < tasks_.size(); ++i) {
    auto worker = cluster().Worker(tasks_[i].task);
    if (!request.cluster.empty()) request.task = tasks_[i].task;
    if (worker.ok())
      (*worker)->CreateSession(request, options, acks.Ack(i));
    else
      acks.Put(i, worker.status());
  }
  return FirstError(acks.Wait());
}

absl::StatusOr<int64_t> Session::Extend(const transport::ExtendSessionRequest& request) {
  if (config_.static_graph)
    return FailedPrecondition(
        "optimize_for_static_graph was set: the session's graph cannot be extended");
  absl::MutexLock lock(&extend_mu_);
  std::shared_ptr<const graph::Graph> present;
  {
    absl::MutexLock state(&mu_);
    if (closed_) return FailedPrecondition("Session is closed.");
    present = graph_;
  }
  if (request.graph_version != version_) {
    return Aborted("expected graph version ", version_, ", got ", request.graph_version,
                   ": the session's graph was extended by another client");
  }
  const int64_t bytes_before = graph_bytes_;
  SLUICE_RETURN_IF_ERROR(AddGraphBytes(*request.graph));
  auto undo =
      absl::MakeCleanup([&]() ABSL_NO_THREAD_SAFETY_ANALYSIS { graph_bytes_ = bytes_before; });
  std::unique_ptr<graph::Graph> extended = present->Clone();
  SLUICE_RETURN_IF_ERROR(AddNodes(*request.graph, *extended));
  SLUICE_RETURN_IF_ERROR(LowerFunctions(placeable_, present->num_ids(), *extended));
  SLUICE_RETURN_IF_ERROR(Place(*extended, present->num_ids()));
  TakeLines(*request.graph);
  absl::MutexLock state(&mu_);
  graph_ = std::move(extended);
  std::move(undo).Cancel();
  return ++version_;
}

absl::Status Session::CheckLimit(Held what, int64_t present, int64_t more, int64_t limit,
                                 absl::string_view name) {
  if (more > limit - present)
    return ResourceExhausted("session ", handle_, " has ", present, " ", name, ", and ", more,
                             " more would exceed the limit of ", limit);
  use_.Set(what, present);
  const int64_t of_client = use_.client().held(what);
  const int64_t client_limit =
      std::min(limit, INT64_MAX / SessionLimits::kSessionsWorth) * SessionLimits::kSessionsWorth;
  if (more > client_limit - of_client)
    return ResourceExhausted("all sessions of the client at ", use_.client().address(), " have ",
                             of_client, " ", name, ", and ", more,
                             " more would exceed the limit of ", client_limit);
  use_.Set(what, present + more);
  return absl::OkStatus();
}

absl::Status Session::AddGraphBytes(const proto::GraphDef& graph) {
  const auto more = static_cast<int64_t>(graph.ByteSizeLong());
  SLUICE_RETURN_IF_ERROR(CheckLimit(Held::kGraphBytes, graph_bytes_, more,
                                    environment_.limits.graph_bytes, "bytes of graphs"));
  graph_bytes_ += more;
  return absl::OkStatus();
}

std::shared_ptr<const CompiledGraph> Session::Cached(const graph::Signature& signature) const {
  absl::MutexLock lock(&mu_);
  auto it = compiled_.find(signature);
  return it == compiled_.end() ? nullptr : it->second;
}

absl::StatusOr<std::shared_ptr<const CompiledGraph>> Session::CompileNow(
    const graph::Signature& signature, const Times& times, CompileContext context) {
  std::shared_ptr<const graph::Graph> graph;
  {
    absl::MutexLock lock(&mu_);
    if (closed_) return FailedPrecondition("Session is closed.");
    graph = graph_;
  }
  context.session = handle_;
  context.client_device = client_device_;
  context.cluster = &cluster();
  context.deadline = times.deadline;
  context.tasks = &tasks_;
  context.devices = &placeable_;
  context.fused_ops = config_.fused_ops;
  context.collective_nccl = config_.collective_nccl;
  return Compile(*graph, signature, context);
}

absl::StatusOr<std::shared_ptr<const CompiledGraph>> Session::FindOrCompile(
    const graph::Signature& signature, const Times& times) {
  if (signature.fetches.empty() && signature.targets.empty()) {
    return InvalidArgument("Must specify at least one target to fetch or execute.");
  }
  // One thread compiles a signature; others that need it wait.
  {
    absl::MutexLock lock(&mu_);
    const auto nobody_compiles = [this, &signature]() ABSL_SHARED_LOCKS_REQUIRED(mu_) {
      return !compiling_.contains(signature);
    };
    if (!mu_.AwaitWithDeadline(absl::Condition(&nobody_compiles), times.deadline))
      return DeadlineExceeded("another run of the same signature is still being prepared");
    if (auto it = compiled_.find(signature); it != compiled_.end()) return it->second;
    SLUICE_RETURN_IF_ERROR(
        CheckLimit(Held::kSignatures, static_cast<int64_t>(compiled_.size() + compiling_.size()), 1,
                   environment_.limits.signatures, "compiled sets of feeds, fetches and targets"));
    compiling_.insert(signature);
  }
  absl::StatusOr<std::shared_ptr<const CompiledGraph>> compiled = CompileNow(signature, times, {});
  std::shared_ptr<const CompiledGraph> forgotten;
  {
    absl::MutexLock lock(&mu_);
    compiling_.erase(signature);
    if (closed_) return FailedPrecondition("Session is closed.");
    if (!compiled.ok()) return compiled;
    compiled_[signature] = *compiled;
    if (!signature.watches.empty()) forgotten = ForgetOldestWatched(signature);
  }
  // A running step of it keeps the objects that it needs.
  if (forgotten != nullptr) Deregister(*forgotten, handle_);
  return compiled;
}

// A client that dumps every step into a folder of its own makes a signature of each.
std::shared_ptr<const CompiledGraph> Session::ForgetOldestWatched(const graph::Signature& newest) {
  constexpr size_t kKept = 16;
  watched_.push_back(newest);
  if (watched_.size() <= kKept) return nullptr;
  auto oldest = compiled_.find(watched_.front());
  std::shared_ptr<const CompiledGraph> forgotten = std::move(oldest->second);
  compiled_.erase(oldest);
  watched_steps_.erase(forgotten.get());
  watched_.pop_front();
  return forgotten;
}

absl::Status Session::CheckFeeds(const CompiledGraph& graph,
                                 const std::vector<Tensor>& feeds) const {
  if (feeds.size() != graph.signature.feeds.size()) {
    return InvalidArgument("expected ", graph.signature.feeds.size(), " feeds, got ", feeds.size());
  }
  for (size_t i = 0; i < feeds.size(); ++i) {
    const DType type = graph.feed_types[i];
    // The handle of a tensor that the session keeps: its argument puts the tensor there.
    if (feeds[i].dtype() == kResource && type != kResource && type != kInvalid) continue;
    SLUICE_RETURN_IF_ERROR(CheckFeed(graph, i, feeds[i]));
  }
  return absl::OkStatus();
}

absl::StatusOr<int64_t> Session::BeginStep() {
  absl::MutexLock lock(&mu_);
  if (closed_) return FailedPrecondition("Session is closed.");
  SLUICE_RETURN_IF_ERROR(
      CheckLimit(Held::kSteps, running_, 1, environment_.limits.steps, "running steps"));
  ++running_;
  return begun_++;
}

absl::Status Session::DumpStep(int64_t number, const CompiledGraph& graph,
                               const DebugOptions& debug) {
  if (debug.reset_disk_usage) ResetDebugDiskUsage();
  const graph::Signature& signature = graph.signature;
  DebuggedStep step{debug.global_step, number,           0, signature.feeds,
                    signature.fetches, signature.targets};
  {
    absl::MutexLock lock(&mu_);
    step.executor_step = watched_steps_[&graph]++;
  }
  return DumpDebuggedStep(step, UrlsOf(debug.watches));
}

void Session::CalledFrom(std::string address) {
  {
    absl::MutexLock lock(&origin_mu_);
    origin_ = std::move(address);
  }
  Touch();
}

std::string Session::origin() const {
  absl::MutexLock lock(&origin_mu_);
  return origin_;
}

std::string Session::ClientGone() const {
  const std::string origin = this->origin();
  if (origin.empty() || transport::IsConnected(origin)) return "";
  return absl::StrCat("the client of session ", handle_, " at ", origin,
                      " has closed its connection");
}

bool Session::running() const {
  absl::MutexLock lock(&mu_);
  return running_ > parked_;
}

void Session::StepEnded() {
  Touch();
  absl::MutexLock lock(&mu_);
  --running_;
  use_.Set(Held::kSteps, running_);
}

StepArgs Session::ArgsFor(std::shared_ptr<const CompiledGraph> graph) {
  StepArgs args;
  args.graph = std::move(graph);
  args.session = handle_;
  args.own_task = cluster().own_task();
  args.name_task_in_errors = environment_.name_task_in_errors;
  args.session_cancel = cancel_;
  args.numbers = environment_.numbers;
  args.timer = environment_.timer;
  args.ended = [self = shared_from_this()] { self->StepEnded(); };
  absl::MutexLock lock(&mu_);
  args.lines = lines_;
  return args;
}

absl::Time Session::DeadlineOf(const transport::RunOptions& options,
                               const transport::CallOptions& call) const {
  const int64_t timeout_ms =
      options.timeout_ms > 0 ? options.timeout_ms : config_.operation_timeout_ms;
  if (timeout_ms <= 0) return call.deadline;
  return std::min(call.deadline, absl::Now() + absl::Milliseconds(timeout_ms));
}

bool Session::TellsCosts(const CompiledGraph& graph) {
  if (config_.costs_every == 0) return false;
  absl::MutexLock lock(&mu_);
  const int64_t counted = ++steps_[&graph] - config_.costs_after;
  return counted >= 0 && counted % config_.costs_every == 0;
}

void Session::Run(std::shared_ptr<const CompiledGraph> graph, std::vector<Tensor> feeds,
                  const transport::RunOptions& options, const transport::CallOptions& call,
                  transport::Reply<transport::RunStepResult> done) {
  if (options.partition_graphs && config_.no_partition_graphs) {
    return done(
        InvalidArgument("RunOptions.output_partition_graphs() is not supported when "
                        "disable_output_partition_graphs is true."));
  }
  if (absl::Status status = CheckFeeds(*graph, feeds); !status.ok()) return done(std::move(status));
  const absl::StatusOr<int64_t> number = BeginStep();
  if (!number.ok()) return done(number.status());
  if (options.debug != nullptr) {
    if (absl::Status status = DumpStep(*number, *graph, *options.debug); !status.ok()) {
      StepEnded();
      return done(std::move(status));
    }
  }
  StepArgs args = ArgsFor(std::move(graph));
  args.costs = TellsCosts(*args.graph);
  args.feeds = std::move(feeds);
  args.options = options;
  args.deadline = DeadlineOf(options, call);
  args.caller = call.cancel;
  RunStep(std::move(args), std::move(done));
}

void Session::Miss(const graph::Signature& signature, std::vector<Tensor> feeds,
                   const transport::RunOptions& options, const absl::Status& why) {
  constexpr absl::Duration kLongest = absl::Seconds(5);
  std::shared_ptr<const graph::Graph> graph;
  {
    absl::MutexLock lock(&mu_);
    if (closed_) return;
    graph = graph_;
  }
  const auto nodes = graph->nodes();
  if (std::none_of(nodes.begin(), nodes.end(), [](const graph::Node* node) {
        return node->attrs.contains("group_key") && node->attrs.contains("instance_key");
      }))
    return;
  auto compiled = FindOrCompile(signature, {absl::Now() + kLongest});
  if (!compiled.ok()) return;
  const auto cancelled = std::make_shared<CancelToken>();
  cancelled->Cancel(why);
  transport::CallOptions call;
  call.cancel = cancelled.get();
  transport::RunOptions plain = options;
  plain.debug = nullptr;  // no step is dumped
  Run(*std::move(compiled), std::move(feeds), plain, call,
      [cancelled](const absl::StatusOr<transport::RunStepResult>&) {});
}

absl::StatusOr<std::string> Session::SetUpPartialRun(const graph::Signature& signature,
                                                     const Times& times) {
  std::shared_ptr<const CompiledGraph> compiled;
  {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(CheckLimit(Held::kPartialRuns,
                                      static_cast<int64_t>(partial_runs_.size()), 1,
                                      environment_.limits.partial_runs, "open partial runs"));
    if (auto it = partial_graphs_.find(signature); it != partial_graphs_.end())
      compiled = it->second;
  }
  if (compiled == nullptr) {
    CompileContext context;
    context.partial_run = true;
    SLUICE_ASSIGN(compiled, CompileNow(signature, times, std::move(context)));
  }
  absl::MutexLock lock(&mu_);
  if (closed_) return FailedPrecondition("Session is closed.");
  partial_graphs_[signature] = compiled;
  const std::string handle = absl::StrCat(next_partial_run_++);
  partial_runs_[handle] = std::make_shared<PartialRun>(std::move(compiled), environment_.timer);
  return handle;
}

void Session::RunPartially(transport::RunStepRequest request, const transport::CallOptions& call,
                           transport::Reply<transport::RunStepResult> done) {
  std::shared_ptr<PartialRun> run;
  bool closed = false;
  {
    absl::MutexLock lock(&mu_);
    closed = closed_;
    if (auto it = partial_runs_.find(request.partial_run); it != partial_runs_.end())
      run = it->second;
  }
  if (closed) return done(FailedPrecondition("Session is closed."));
  if (run == nullptr)
    return done(InvalidArgument("Must run PartialRunSetup before performing partial runs"));
  const auto start = [self = shared_from_this()](std::shared_ptr<const CompiledGraph> graph,
                                                 std::shared_ptr<Rendezvous> client,
                                                 CancelToken* cancel, PartialRun::Reply ended) {
    if (auto number = self->BeginStep(); !number.ok()) return ended(number.status());
    StepArgs args = self->ArgsFor(std::move(graph));
    args.client = std::move(client);
    args.caller = cancel;
    {
      absl::MutexLock lock(&self->mu_);
      ++self->parked_;
    }
    args.ended = [self] {
      {
        absl::MutexLock lock(&self->mu_);
        --self->parked_;
      }
      self->StepEnded();
    };
    RunStep(std::move(args), std::move(ended));
  };
  const absl::Time deadline = DeadlineOf(request.options, call);
  const bool over =
      run->Run({std::move(request.feeds), std::move(request.fetches), deadline, call.cancel}, start,
               std::move(done));
  if (!over) return;
  absl::MutexLock lock(&mu_);
  partial_runs_.erase(request.partial_run);
  use_.Set(Held::kPartialRuns, static_cast<int64_t>(partial_runs_.size()));
}

absl::StatusOr<int64_t> Session::MakeCallable(const transport::MakeCallableRequest& request,
                                              const Times& times) {
  if (request.has_feed_or_fetch_devices) {
    return Unimplemented(
        "CallableOptions::feed_devices and CallableOptions::fetch_devices are not supported over a "
        "session on a server");
  }
  {
    absl::MutexLock lock(&mu_);
    SLUICE_RETURN_IF_ERROR(CheckLimit(Held::kCallables, static_cast<int64_t>(callables_.size()), 1,
                                      environment_.limits.callables, "callables"));
  }
  graph::Signature signature{request.feeds, request.fetches, request.targets};
  if (request.options.debug != nullptr) signature.watches = request.options.debug->watches;
  Callable callable{nullptr, request.options};
  if (request.tensor_connections.empty()) {
    SLUICE_ASSIGN(callable.graph, FindOrCompile(signature, times));
  } else {
    CompileContext context;
    context.connections = request.tensor_connections;
    SLUICE_ASSIGN(callable.graph, CompileNow(signature, times, std::move(context)));
    callable.own_graph = true;
  }
  absl::MutexLock lock(&mu_);
  if (closed_) return FailedPrecondition("Session is closed.");
  callables_[next_callable_] = std::move(callable);
  return next_callable_++;
}

absl::StatusOr<Session::Callable> Session::FindCallable(int64_t id) const {
  absl::MutexLock lock(&mu_);
  if (closed_) return FailedPrecondition("Session is closed.");
  auto it = callables_.find(id);
  if (it == callables_.end()) return InvalidArgument("No such callable handle: ", id);
  return it->second;
}

void Session::ReleaseCallable(int64_t id) {
  Callable released;
  {
    absl::MutexLock lock(&mu_);
    auto it = callables_.find(id);
    if (it == callables_.end()) return;
    released = std::move(it->second);
    callables_.erase(it);
    use_.Set(Held::kCallables, static_cast<int64_t>(callables_.size()));
  }
  // A running step of it keeps the objects that it needs.
  if (released.own_graph) Deregister(*released.graph, handle_);
}

std::vector<DeviceAttributes> Session::devices() const {
  std::vector<DeviceAttributes> all;
  for (const auto& task : tasks_) all.insert(all.end(), task.devices.begin(), task.devices.end());
  return all;
}

void Session::Close() {
  {
    absl::MutexLock lock(&mu_);
    if (closed_) return;
    closed_ = true;
  }
  cancel_->Cancel(
      absl::CancelledError("Step was cancelled by an explicit call to `Session::Close()`."));
  const absl::Time deadline = absl::Now() + kCloseWait;
  {
    absl::MutexLock lock(&mu_);
    if (!mu_.AwaitWithDeadline(absl::Condition(
                                   +[](int* running) { return *running == 0; }, &running_),
                               deadline)) {
      Log(LogLevel::kWarning, "session ", handle_, " closes while ", running_,
          " steps have not ended");
    }
    compiled_.clear();
    callables_.clear();
    partial_graphs_.clear();
    partial_runs_.clear();
    use_.SetAll(0);
  }
  PendingReplies<Nothing> acks(tasks_.size());
  transport::CallOptions options;
  options.deadline = deadline;
  for (size_t i = 0; i < tasks_.size(); ++i) {
    auto worker = cluster().Worker(tasks_[i].task);
    if (worker.ok())
      (*worker)->DeleteSession(handle_, options, acks.Ack(i));
    else
      acks.Put(i, worker.status());
  }
  if (absl::Status status = FirstError(acks.Wait()); !status.ok()) {
    Log(LogLevel::kWarning, "closing session ", handle_, ": ", status.ToString());
  }
}

}  // namespace sluice::master
