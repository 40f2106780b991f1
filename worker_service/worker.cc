// SPDX-License-Identifier: Apache-2.0
#include "worker_service/worker.h"

#include <optional>

#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "core/runtime/argument_memory.h"
#include "core/tensor/unused_memory.h"
#include "graph/import.h"
#include "proto/graph.pb.h"
#include "proto/step_stats.pb.h"
#include "transport/selection/transport_table.h"
#include "worker_service/debug_graphs.h"
#include "worker_service/executor.h"
#include "worker_service/tensorflow_master.h"
#include "worker_service/trace.h"

namespace sluice::worker {

using transport::CallOptions;

namespace {
constexpr absl::Duration kRefusalHolds = absl::Seconds(1);
}

// One RunGraph while it runs: the data to which the executor's contexts point.
struct Worker::GraphRun {
  std::shared_ptr<Step> step;
  std::shared_ptr<WorkerSession> session;
  std::vector<Tensor> args;
  std::vector<Parcel> retvals;
  std::vector<StepContext> contexts;
  std::shared_ptr<CollectiveUses> uses;
  std::optional<StepCollectives> collectives;
  std::unique_ptr<StepStatsTrace> trace;
  WorkerSession::Registered graph;  // when traced
  std::vector<std::string> device_names;
  std::vector<int> unsynced;      // devices with own memory whose work the step still waits for
  CancelToken* cancel = nullptr;  // the caller's
  int64_t cancel_id = 0;
  int64_t deadline_id = 0;
  transport::Reply<transport::RunGraphResult> done;
};

namespace {

// As in TensorFlow's servers, the job's name; a local session's job is "localhost".
std::string DefaultContainer(const std::string& task) {
  auto name = DeviceName::Parse(task);
  return name.ok() && name->job ? *name->job : std::string(ResourceStore::kDefaultContainer);
}

}  // namespace

Worker::Worker(Options options)
    : options_(std::move(options)),
      default_container_(DefaultContainer(options_.task)),
      steps_(&peers_),
      groups_({options_.task, options_.address, options_.peers, options_.connector, options_.pool,
               /*leader_wait=*/absl::Seconds(6), options_.lease, options_.client_gone,
               /*client_wait=*/absl::Seconds(2), options_.device_library},
              &peers_),
      peers_(options_.peers, options_.connector, &returns()) {
  for (const auto& device : options_.devices) {
    device_pointers_.push_back(device.get());
    if (copies_from_host_ == nullptr && device->transfer_allocator() != nullptr)
      copies_from_host_ = device.get();
  }
  sweeper_ = std::thread([this] { SweepLoop(); });
}

Worker::~Worker() {
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
  }
  for (const auto& step : steps_.All()) {
    const absl::Status status = Unavailable(options_.task, " is stopping");
    step->cancel().Cancel(status);
    step->Abort(status);
  }
  {
    absl::MutexLock lock(&mu_);
    mu_.Await(absl::Condition(
        +[](int* running) { return *running == 0; }, &running_));
  }
  sweeper_.join();
  groups_.Stop();
  DropResources();
}

// Iterators call functions between steps, on threads of their own. They end soon after their
// cancellation; a function that does not is a defect, which must not keep the process.
void Worker::DropResources() {
  constexpr absl::Duration kLongest = absl::Seconds(10);
  absl::flat_hash_map<std::string, std::shared_ptr<WorkerSession>> sessions;
  {
    absl::MutexLock lock(&mu_);
    sessions.swap(sessions_);
  }
  sessions.clear();
  for (Device* device : device_pointers_) device->resources().ClearAll();
  const absl::Time deadline = absl::Now() + kLongest;
  while (function_use_.use_count() > 1 && absl::Now() < deadline)
    absl::SleepFor(absl::Milliseconds(1));
}

void Worker::SweepLoop() {
  while (true) {
    {
      absl::MutexLock lock(&mu_);
      if (mu_.AwaitWithTimeout(absl::Condition(&stopping_), absl::Seconds(1))) return;
    }
    steps_.Expire(absl::Now() - options_.lease);
    peers_.Sweep(absl::Now() - absl::Seconds(30));
    groups_.Sweep();
  }
}

void Worker::GetStatus(const CallOptions&, transport::Reply<transport::TaskStatus> done) {
  transport::TaskStatus status;
  status.task = options_.task;
  status.version = options_.version;
  status.no_gpu = options_.no_gpu;
  status.waiting = groups_.Waiting();
  for (const auto& device : options_.devices) status.devices.push_back(device->attributes());
  status.kernels = std::shared_ptr<const KernelTable>(options_.kernels, &options_.kernels->table());
  done(std::move(status));
}

void Worker::CreateSession(const transport::CreateWorkerSession& request, const CallOptions&,
                           transport::Ack done) {
  if (request.from_tensorflow) return Refuse(request.master_task, std::move(done));
  if (request.session.empty()) return done(InvalidArgument("a worker session needs a handle"));
  if (FindSession(request.session).ok())
    return done(absl::OkStatus());  // already made: the first one is kept
  WorkerSession::Task task;
  task.name = request.cluster.empty() ? options_.task : request.task;
  task.devices = device_pointers_;
  for (const Device* device : device_pointers_) {
    auto name = DeviceName::Parse(device->name());
    if (!name.ok()) return done(name.status());
    task.device_names.push_back(
        absl::StrCat(task.name, absl::StripPrefix(device->name(), name->task_name())));
  }
  task.kernels = options_.kernels.get();
  task.peers = &peers_;
  task.pool = options_.pool;
  task.function_use = function_use_;
  task.own_cluster = !request.cluster.empty();
  task.groups = {&groups_, options_.pool, &deadlines_, request.session, request.collective_leader};
  task.groups.use_library = request.collective_nccl;
  if (task.own_cluster)
    task.groups.refused = "a session with its own cluster has no collective operations";
  task.rules = {DefaultContainer(task.name), options_.deterministic};
  transport::TransportNames transports;
  if (!request.transport.empty()) {
    auto parsed = transport::ParseTransports(request.transport);
    if (!parsed.ok()) return done(parsed.status());
    transports = *std::move(parsed);
  }
  for (const auto& [peer, address] : request.cluster) {
    if (peer == request.task) continue;
    const absl::Status added =
        peers_.Add({absl::StrCat(peer, "#", request.session), address,
                    absl::StrCat(request.task, "#", request.session), transports});
    if (!added.ok()) return done(added);
  }
  auto session = std::make_shared<WorkerSession>(request.session, request.isolate_state,
                                                 request.master, std::move(task));
  {
    absl::MutexLock lock(&mu_);
    sessions_.try_emplace(request.session, std::move(session));
  }
  done(absl::OkStatus());
}

// TensorFlow's 1.15 sends no name of its master. To find it costs calls to all tasks, so one thread
// asks for all who wait, and its answer holds for a while.
void Worker::Refuse(const std::string& tensorflow_master, transport::Ack done) {
  if (!tensorflow_master.empty())
    return done(RefuseTensorFlowMaster(options_.task, tensorflow_master, options_.peers, nullptr));
  absl::Status refusal;
  {
    absl::MutexLock lock(&mu_);
    if (stopping_) {
      refusal = Unavailable(options_.task, " is stopping");
    } else if (absl::Now() - refused_at_ < kRefusalHolds) {
      refusal = refusal_;
    } else {
      refused_.push_back(std::move(done));
      if (refused_.size() > 1) return;
      ++running_;
    }
  }
  if (!refusal.ok()) return done(std::move(refusal));
  // It waits for other tasks, so it does not run on the caller's thread.
  options_.pool->Schedule([this] {
    const absl::Status status =
        RefuseTensorFlowMaster(options_.task, "", options_.peers, options_.connector);
    std::vector<transport::Ack> refused;
    {
      absl::MutexLock lock(&mu_);
      refusal_ = status;
      refused_at_ = absl::Now();
      refused.swap(refused_);
    }
    for (transport::Ack& done : refused) done(status);
    absl::MutexLock lock(&mu_);
    --running_;
  });
}

void Worker::DeleteSession(const std::string& handle, const CallOptions&, transport::Ack done) {
  // Destroyed outside the lock and before the answer: the task may be destroyed right after it.
  std::shared_ptr<WorkerSession> dropped;
  {
    absl::MutexLock lock(&mu_);
    auto it = sessions_.find(handle);
    if (it != sessions_.end()) {
      dropped = std::move(it->second);
      sessions_.erase(it);
    }
  }
  dropped.reset();
  groups_.SessionEnded(handle);
  ReturnUnusedMemory();
  done(absl::OkStatus());
}

absl::StatusOr<std::shared_ptr<WorkerSession>> Worker::FindSession(
    const std::string& handle) const {
  absl::MutexLock lock(&mu_);
  auto it = sessions_.find(handle);
  if (it == sessions_.end()) {
    return Aborted("session ", handle, " is not known to ", options_.task,
                   ": the task may have been restarted");
  }
  return it->second;
}

void Worker::Register(const transport::RegisterGraph& request, const CallOptions&,
                      transport::Reply<uint64_t> done) {
  auto session = FindSession(request.session);
  if (!session.ok()) return done(session.status());
  graph::Graph graph(options_.ops);
  graph::ImportOptions import;
  import.from_client = false;
  if (absl::Status status = graph::Import(*request.graph, import, graph); !status.ok())
    return done(std::move(status));
  for (graph::Node* node : graph.nodes())
    node->device = node->requested_device;  // the master has placed it
  if (absl::Status status = DumpGraphs(*request.graph, request.debug_urls); !status.ok())
    return done(std::move(status));
  done((*session)->Register(graph));
}

void Worker::Deregister(const std::string& handle, uint64_t graph, const CallOptions&,
                        transport::Ack done) {
  auto session = FindSession(handle);
  if (session.ok()) (*session)->Deregister(graph);
  done(session.status());
}

void Worker::Run(transport::RunGraph request, const CallOptions& options,
                 transport::Reply<transport::RunGraphResult> done) {
  if (absl::Status status = StartRun(request, options, done); !status.ok()) done(std::move(status));
}

// Moves from `done` only if it returns OK.
absl::Status Worker::StartRun(transport::RunGraph& request, const CallOptions& options,
                              transport::Reply<transport::RunGraphResult>& done) {
  SLUICE_ASSIGN(std::shared_ptr<WorkerSession> session, FindSession(request.session));
  SLUICE_ASSIGN(WorkerSession::Registered graph, session->Find(request.graph));
  {
    absl::MutexLock lock(&mu_);
    if (stopping_) return Unavailable(options_.task, " is stopping");
    ++running_;
  }
  auto begun = steps_.Begin(request.step, request.oldest_live_step);
  if (!begun.ok()) {
    absl::MutexLock lock(&mu_);
    --running_;
    return begun.status();
  }
  {
    // The destructor may have visited the steps before this one was added.
    absl::MutexLock lock(&mu_);
    if (stopping_) (*begun)->cancel().Cancel(Unavailable(options_.task, " is stopping"));
  }
  auto owned = std::make_unique<GraphRun>();
  GraphRun* run = owned.release();  // EndRun takes it back
  run->step = *std::move(begun);
  if (request.client != nullptr) run->step->FollowClient(std::move(request.client));
  run->session = std::move(session);
  run->args = std::move(request.args);
  run->retvals.resize(request.num_retvals);
  run->done = std::move(done);
  run->uses = std::move(graph.collectives);
  run->collectives.emplace(run->session->groups(), run->uses.get(), &run->step->cancel());
  AddContexts(request.step.number, graph.executable->functions.get(), *run);
  if (request.trace) {
    run->trace = std::make_unique<StepStatsTrace>();
    run->step->TraceTransfers();
    run->graph = graph;
  }
  run->unsynced = graph.executable->own_memory_devices;
  EndWithCall(options, *run);
  ExecuteArgs args;
  args.executable = std::move(graph.executable);
  args.contexts = run->contexts;
  args.pool = options_.pool;
  args.cancel = &run->step->cancel();
  args.trace = run->trace.get();
  args.on_error = [step = run->step.get()](const absl::Status& cause) {
    const absl::Status echo = MarkDerived(Aborted("the step failed: ", cause.message()));
    step->cancel().Cancel(echo);
    step->Abort(echo);
  };
  args.done = [this, run](absl::Status status) { SyncDevices(run, std::move(status)); };
  if (!options_.deterministic) {
    Execute(std::move(args));
  } else {
    // Its nodes all count as cheap. Together they are too much work for a borrowed thread.
    options_.pool->Schedule([args = std::move(args)]() mutable { Execute(std::move(args)); });
  }
  return absl::OkStatus();
}

void Worker::AddContexts(uint64_t step, FunctionCaller* functions, GraphRun& run) const {
  for (size_t i = 0; i < device_pointers_.size(); ++i) {
    StepContext& ctx = run.contexts.emplace_back();
    ctx.step_id = step;
    ctx.device = device_pointers_[i];
    ctx.pool = device_pointers_[i]->pool();
    ctx.rendezvous = run.step.get();
    ctx.resources = &run.session->resources(i);
    ctx.step_resources = &run.step->resources();
    ctx.cancel = &run.step->cancel();
    ctx.functions = functions;
    ctx.collectives = &*run.collectives;
    ctx.args = run.args;
    ctx.retvals = absl::MakeSpan(run.retvals);
    run.device_names.push_back(run.session->device_names()[i]);
  }
}

// The step ends when the call is cancelled, and at its deadline.
void Worker::EndWithCall(const CallOptions& options, GraphRun& run) {
  if (options.cancel != nullptr) {
    run.cancel = options.cancel;
    run.cancel_id = options.cancel->Register([step = run.step](const absl::Status& why) {
      step->cancel().Cancel(why);
      step->Abort(MarkDerived(why));
    });
    if (run.cancel_id == 0) {  // cancelled before it began
      run.step->cancel().Cancel(options.cancel->status());
      run.step->Abort(MarkDerived(options.cancel->status()));
    }
  }
  if (options.deadline != absl::InfiniteFuture()) {
    run.deadline_id = deadlines_.At(options.deadline, [this, late = std::weak_ptr(run.step)] {
      const auto step = late.lock();
      if (step == nullptr) return;
      const absl::Status why = TimedOut(*step);
      step->cancel().Cancel(why);
      step->Abort(MarkDerived(why));
    });
  }
}

absl::Status Worker::TimedOut(const Step& step) const {
  const std::vector<std::string> awaited = step.AwaitedTasks();
  if (awaited.empty()) return DeadlineExceeded(transport::kTimedOut);
  return DeadlineExceeded(transport::kTimedOut, " ", options_.task, " waited for tensors of ",
                          absl::StrJoin(awaited, ", "), ".");
}

// A step answers after its devices have done its work. It also returns an error that appears only
// then.
void Worker::SyncDevices(GraphRun* run, absl::Status status) {
  if (run->unsynced.empty()) return EndRun(run, std::move(status));
  Device* device = device_pointers_[static_cast<size_t>(run->unsynced.back())];
  run->unsynced.pop_back();
  device->Sync([this, run, device, status = std::move(status)](absl::Status synced) mutable {
    status.Update(Annotate(synced, Cat("at the end of the step on ", device->name())));
    SyncDevices(run, std::move(status));
  });
}

void Worker::EndRun(GraphRun* raw, absl::Status status) {
  std::unique_ptr<GraphRun> run(raw);
  if (run->cancel != nullptr && run->cancel_id != 0) run->cancel->Deregister(run->cancel_id);
  if (run->deadline_id != 0) deadlines_.Forget(run->deadline_id);
  steps_.End(run->step->id());
  run->collectives->End(status);
  auto done = std::move(run->done);
  absl::StatusOr<transport::RunGraphResult> result = transport::RunGraphResult();
  if (!status.ok()) {
    result = std::move(status);
  } else {
    result->retvals = std::move(run->retvals);
    if (run->trace != nullptr) {
      result->stats = run->trace->ToProto(*run->graph.executable, run->device_names,
                                          TransfersOf(*run->step), *run->graph.names);
    }
  }
  run.reset();
  done(std::move(result));
  absl::MutexLock lock(&mu_);
  --running_;
}

std::vector<Step::Transfer> Worker::TransfersOf(const Step& step) {
  std::vector<Step::Transfer> transfers = step.transfers();
  for (Step::Transfer& transfer : transfers) {
    if (const auto path = returns().Find(peers_.Task(transfer.peer)); path != nullptr)
      transfer.transport = path->transport();
  }
  return transfers;
}

void Worker::ClearContainers(const std::vector<std::string>& containers, const CallOptions&,
                             transport::Ack done) {
  std::vector<std::string> names = containers;
  if (names.empty()) names.push_back(default_container_);
  for (const auto& device : options_.devices) {
    for (const std::string& name : names) device->resources().Clear(name);
  }
  for (const auto& session : Sessions()) session->ClearContainers(names);
  done(absl::OkStatus());
}

std::vector<std::shared_ptr<WorkerSession>> Worker::Sessions() const {
  std::vector<std::shared_ptr<WorkerSession>> sessions;
  absl::MutexLock lock(&mu_);
  for (const auto& [handle, session] : sessions_) sessions.push_back(session);
  return sessions;
}

void Worker::ListPipelines(const CallOptions&, transport::Reply<std::vector<PipelineReport>> done) {
  std::vector<PipelineReport> reports;
  const auto add = [&](const ResourceStore& store, const Device& device,
                       const std::string& session) {
    for (PipelineReport& report : RunningPipelines::ReportsOf(store)) {
      report.device = device.name();
      report.session = session;
      reports.push_back(std::move(report));
    }
  };
  const auto sessions = Sessions();
  for (size_t i = 0; i < device_pointers_.size(); ++i) {
    Device& device = *device_pointers_[i];
    add(device.resources(), device, "");
    for (const auto& session : sessions) {
      const ResourceStore& own = session->resources(i);
      if (&own != &device.resources()) add(own, device, session->handle());
    }
  }
  done(std::move(reports));
}

absl::StatusOr<Tensor> Worker::Prepare(const transport::ParcelId& id, DType dtype,
                                       const Shape& shape) {
  if ((id.key.edge & kGroupEdge) != 0) return groups_.Prepare(id, dtype, shape);
  if (steps_.FindOrExpect(id.step) == nullptr) return Aborted("step ", id.step, " has ended");
  const bool to_device = copies_from_host_ != nullptr && (id.key.edge & kToDeviceMemory) != 0;
  return Tensor::Allocate(to_device ? *copies_from_host_->transfer_allocator() : CpuAllocator(),
                          dtype, shape);
}

std::shared_ptr<void> Worker::Pin(void* memory, size_t bytes) {
  return copies_from_host_ == nullptr ? nullptr : copies_from_host_->PinHostMemory(memory, bytes);
}

void Worker::Deliver(const std::string& peer, const transport::ParcelId& id, Parcel parcel) {
  if ((id.key.edge & kGroupEdge) != 0) return groups_.Deliver(peer, id, std::move(parcel));
  const int64_t bytes = transport::ParcelBytes(parcel);
  if (auto step = steps_.Keep(id.step, peer, bytes); step != nullptr)
    step->Arrived(id.key, std::move(parcel));
}

bool Worker::KnownAs(const std::string& name) const {
  const size_t hash = name.find('#');
  return hash != std::string::npos && FindSession(name.substr(hash + 1)).ok();
}

void Worker::Announce(const std::string& peer, const transport::ParcelId& id) {
  auto number = peers_.Find(peer);
  if (!number.ok()) return;
  if ((id.key.edge & kGroupEdge) != 0) return groups_.Announce(*number, id);
  if (auto step = steps_.Keep(id.step, peer, /*bytes=*/0); step != nullptr)
    step->Announced(*number, id.key);
}

bool Worker::Awaits(const std::string& peer) const {
  const auto number = peers_.Find(peer);
  if (!number.ok()) return false;
  const auto steps = steps_.All();
  return std::any_of(steps.begin(), steps.end(),
                     [&](const auto& step) { return step->Awaits(*number); });
}

void Worker::Broken(const std::string& peer, const absl::Status& status) {
  steps_.Broken(peer, status);
  auto number = peers_.Find(peer);
  if (!number.ok()) return;
  for (const auto& step : steps_.All()) step->PeerBroken(*number, status);
  groups_.Broken(*number, status);
}

}  // namespace sluice::worker
