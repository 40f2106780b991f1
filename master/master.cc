// SPDX-License-Identifier: Apache-2.0
#include "master/master.h"

#include <algorithm>

#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "core/log.h"
#include "core/random_incarnation.h"
#include "core/tensor/unused_memory.h"
#include "master/abandoned_sessions.h"

namespace sluice::master {
namespace {

// Clients resend a call that failed with UNAVAILABLE up to ten times; ABORTED makes them begin a
// new session.
absl::Status NotUnavailable(const absl::Status& status) {
  return status.code() == absl::StatusCode::kUnavailable ? Aborted(status.message()) : status;
}
template <typename T>
absl::StatusOr<T> NotUnavailable(absl::StatusOr<T> result) {
  if (result.ok()) return result;
  return NotUnavailable(result.status());
}

// Empty: this process.
std::string AddressOf(const transport::CallOrigin* origin) {
  return origin == nullptr ? "" : origin->address();
}

constexpr char kThisProcess[] = "this process";
constexpr size_t kMostLooks = 16;  // at connections of idle sessions
constexpr absl::Duration kBetweenSweeps = absl::Seconds(5);

}  // namespace

Master::Master(Options options)
    : options_(std::move(options)),
      incarnation_(RandomIncarnation()),
      cluster_(options_.cluster),
      numbers_(incarnation_) {
  sweeps_->master = this;
}

Master::~Master() {
  std::vector<std::shared_ptr<Session>> sessions;
  {
    absl::MutexLock lock(&mu_);
    stopping_ = true;
    for (auto& [handle, session] : sessions_) sessions.push_back(std::move(session));
    sessions_.clear();
  }
  {
    absl::MutexLock lock(&sweeps_->mu);
    sweeps_->master = nullptr;
  }
  for (auto& session : sessions) session->Close();
  threads_.AwaitEnd();
  // A step that was answered at its deadline may still run.
  numbers_.AwaitEnds();
}

absl::StatusOr<std::shared_ptr<Session>> Master::Find(const std::string& handle,
                                                      const transport::CallOptions& options) const {
  std::string origin = AddressOf(options.origin);
  absl::MutexLock lock(&mu_);
  auto it = sessions_.find(handle);
  if (it == sessions_.end()) {
    return Aborted("Session ", handle,
                   " is not found. Possibly, this master has restarted: ", cluster_.own_task());
  }
  it->second->CalledFrom(std::move(origin));
  return it->second;
}

std::string Master::ClientGone(const std::string& handle) const {
  std::shared_ptr<Session> session;
  {
    absl::MutexLock lock(&mu_);
    if (const auto it = sessions_.find(handle); it != sessions_.end()) session = it->second;
  }
  return session == nullptr ? "" : session->ClientGone();
}

std::shared_ptr<Session> Master::Take(const std::string& handle) {
  absl::MutexLock lock(&mu_);
  auto it = sessions_.find(handle);
  if (it == sessions_.end()) return nullptr;
  std::shared_ptr<Session> session = std::move(it->second);
  sessions_.erase(it);
  return session;
}

std::shared_ptr<ClientUse> Master::ClientOf(const transport::CallOrigin* origin) {
  std::string address = kThisProcess;
  if (origin != nullptr) {
    const std::string peer = origin->address();
    address = peer.substr(0, peer.rfind(':'));
  }
  absl::MutexLock lock(&mu_);
  absl::erase_if(clients_, [](const auto& client) { return client.second.expired(); });
  std::weak_ptr<ClientUse>& known = clients_[address];
  std::shared_ptr<ClientUse> client = known.lock();
  if (client == nullptr) known = client = std::make_shared<ClientUse>(address);
  return client;
}

std::shared_ptr<Session> Master::FindIdle(absl::FunctionRef<bool(const Session&)> counts) const {
  const absl::Time now = absl::Now();
  const absl::Duration since = std::min(options_.sessions.idle(), options_.sessions.abandoned);
  std::vector<std::shared_ptr<Session>> idle;
  for (const auto& [handle, session] : sessions_) {
    if (counts(*session) && !session->running() && session->last_call() <= now - since)
      idle.push_back(session);
  }
  std::sort(idle.begin(), idle.end(),
            [](const auto& a, const auto& b) { return a->last_call() < b->last_call(); });
  if (idle.empty()) return nullptr;
  if (idle.front()->last_call() < now - options_.sessions.idle()) return idle.front();
  // Looking takes time, and the oldest are most likely those of clients that are gone.
  if (idle.size() > kMostLooks) idle.resize(kMostLooks);
  for (auto& session : idle) {
    if (!session->ClientGone().empty()) return session;
  }
  return nullptr;
}

// Makes room for one more session, because clients may die without closing theirs.
absl::Status Master::MakeRoom(const ClientUse& client) {
  const int open = options_.sessions.open;
  const int per_client = options_.sessions.per_client > 0 ? options_.sessions.per_client
                                                          : std::max(1, open - open / 4);
  std::shared_ptr<Session> idle;
  {
    absl::MutexLock lock(&mu_);
    const bool of_client = client.sessions() >= per_client && client.address() != kThisProcess;
    if (of_client || static_cast<int>(sessions_.size()) + creating_ >= open) {
      idle = FindIdle(
          [&](const Session& session) { return !of_client || &session.client() == &client; });
      if (idle == nullptr && of_client)
        return ResourceExhausted(
            "the client at ", client.address(), " has ", client.sessions(),
            " open sessions, as many as --max_sessions_per_client allows, and none was idle for ",
            absl::FormatDuration(options_.sessions.idle()),
            ": close sessions that are no longer needed");
      if (idle == nullptr) {
        return ResourceExhausted("this master has ", open,
                                 " open sessions, as many as --max_sessions allows, and none was "
                                 "idle for ",
                                 absl::FormatDuration(options_.sessions.idle()),
                                 ": close sessions that are no longer needed");
      }
      sessions_.erase(idle->handle());
    }
    ++creating_;
  }
  if (idle != nullptr) {
    Log(LogLevel::kWarning, "session ", idle->handle(), " is closed: it has been idle since ",
        absl::FormatTime(idle->last_call()), ", and there are too many");
    idle->Close();
  }
  return absl::OkStatus();
}

void Master::NextSweep() {
  timer_.At(absl::Now() + kBetweenSweeps, [sweeps = sweeps_] {
    absl::MutexLock lock(&sweeps->mu);
    if (Master* const master = sweeps->master) {
      master->threads_.Run([master] {
        master->CloseAbandoned();
        bool ends = false;  // until there is a session
        {
          absl::MutexLock lock(&master->mu_);
          ends = master->sessions_.empty();
          master->sweeping_ = !ends;
        }
        if (!ends) master->NextSweep();
      });
    }
  });
}

void Master::CloseAbandoned() {
  std::vector<std::shared_ptr<Session>> sessions;
  {
    absl::MutexLock lock(&mu_);
    for (const auto& [handle, session] : sessions_) sessions.push_back(session);
  }
  for (const auto& session : FindAbandoned(std::move(sessions), options_.sessions)) {
    {
      absl::MutexLock lock(&mu_);  // no call can come now
      if (!session->left() || session->running() || sessions_.erase(session->handle()) == 0)
        continue;
    }
    Log(LogLevel::kInfo, "session ", session->handle(), " is closed: its client at ",
        session->origin(), " has closed its connection, and made no call since ",
        absl::FormatTime(session->last_call()));
    session->Close();
    ReturnUnusedMemory();
  }
}

absl::StatusOr<std::shared_ptr<Cluster>> Master::OwnCluster(
    const std::vector<transport::PeerAddress>& tasks, const std::string& target) {
  const absl::string_view address = absl::StripPrefix(target, "grpc://");
  Cluster::Options options;
  for (const transport::PeerAddress& task : tasks) {
    SLUICE_RETURN_IF_ERROR(DeviceName::Parse(task.task).status());
    if (task.address != address) {
      options.peers.push_back(task);
      continue;
    }
    if (!options.task.empty()) {
      return InvalidArgument("cluster_def names ", address, ", the session's target, twice: as ",
                             options.task, " and as ", task.task);
    }
    options.task = task.task;
    options.address = task.address;
  }
  if (options.task.empty())
    return InvalidArgument("The master (current machine) is not included in the provided ",
                           "cluster_def: it has no task at ", address, ", the session's target");
  if (options.task == cluster_.own_task()) {
    return InvalidArgument("The ClusterSpec names the job and task index to be the same names ",
                           "that were provided when the server booted: ", options.task,
                           ". A session's own cluster needs other names");
  }
  options.worker = options_.cluster.worker;
  options.connector = options_.cluster.connector;
  options.rename = true;
  // A thread of the cluster's own connections may release the last reference, and it must not wait
  // for them.
  return std::shared_ptr<Cluster>(new Cluster(std::move(options)), [this](Cluster* cluster) {
    threads_.Run([cluster] { delete cluster; });
  });
}

absl::Time Master::Deadline(const transport::CallOptions& options) const {
  return options.deadline != absl::InfiniteFuture() ? options.deadline
                                                    : absl::Now() + options_.create_deadline;
}

void Master::CreateSession(transport::CreateSessionRequest request,
                           const transport::CallOptions& options,
                           transport::Reply<transport::CreateSessionResult> done) {
  if (absl::Status status = threads_.CheckRoom(); !status.ok()) return done(std::move(status));
  threads_.Run([this, request = std::move(request), options, done = std::move(done)]() mutable {
    const std::shared_ptr<ClientUse> client = ClientOf(options.origin);
    if (absl::Status status = MakeRoom(*client); !status.ok()) return done(std::move(status));
    const Session::Environment environment{
        options_.ops,
        &cluster_,
        [this](const auto& tasks, const std::string& target) { return OwnCluster(tasks, target); },
        &numbers_,
        &timer_,
        incarnation_,
        options_.name_task_in_errors,
        options_.sessions,
        client};
    auto session = Session::Create(request, environment, {Deadline(options), options.cancel});
    const std::string handle = session.ok() ? (*session)->handle() : "";
    if (session.ok()) (*session)->CalledFrom(AddressOf(options.origin));
    bool begins_sweeps = false;
    {
      absl::MutexLock lock(&mu_);
      --creating_;
      if (session.ok() && !stopping_) {
        sessions_[handle] = *session;
        begins_sweeps = !std::exchange(sweeping_, true);
      }
    }
    if (begins_sweeps) NextSweep();
    if (!session.ok()) return done(NotUnavailable(session.status()));
    done(transport::CreateSessionResult{handle, 0});
  });
}

void Master::ExtendSession(transport::ExtendSessionRequest request,
                           const transport::CallOptions& options, transport::Reply<int64_t> done) {
  if (absl::Status status = threads_.CheckRoom(); !status.ok()) return done(std::move(status));
  auto session = Find(request.session, options);
  if (!session.ok()) return done(session.status());
  threads_.Run(
      [session = *std::move(session), request = std::move(request),
       done = std::move(done)]() mutable { done(NotUnavailable(session->Extend(request))); });
}

void Master::RunStep(transport::RunStepRequest request, const transport::CallOptions& options,
                     transport::Reply<transport::RunStepResult> done) {
  auto found = Find(request.session, options);
  if (!found.ok()) return done(found.status());
  std::shared_ptr<Session> session = *std::move(found);
  const bool watched = request.options.debug != nullptr;
  if (!request.partial_run.empty() && watched)
    return done(Unimplemented("tfdbg cannot watch a partial run: use Session.run"));
  if (!request.partial_run.empty())
    return session->RunPartially(std::move(request), options, std::move(done));
  graph::Signature signature;
  std::vector<Tensor> feeds;
  signature.feeds.reserve(request.feeds.size());
  feeds.reserve(request.feeds.size());
  for (transport::NamedTensor& feed : request.feeds) {
    signature.feeds.push_back(std::move(feed.name));
    feeds.push_back(std::move(feed.tensor));
  }
  signature.fetches = std::move(request.fetches);
  signature.targets = std::move(request.targets);
  if (watched) {  // on its own thread, because it writes files
    signature.watches = request.options.debug->watches;
  } else if (auto compiled = session->Cached(signature); compiled != nullptr) {
    return session->Run(std::move(compiled), std::move(feeds), request.options, options,
                        std::move(done));
  }
  if (absl::Status status = threads_.CheckRoom(); !status.ok()) return done(std::move(status));
  threads_.Run([this, session, signature = std::move(signature), feeds = std::move(feeds),
                run = request.options, options, done = std::move(done)]() mutable {
    auto compiled = session->FindOrCompile(signature, {Deadline(options), options.cancel});
    if (compiled.ok())
      return session->Run(*std::move(compiled), std::move(feeds), run, options, std::move(done));
    done(compiled.status());
    if (absl::IsDeadlineExceeded(compiled.status()))
      session->Miss(signature, std::move(feeds), run, compiled.status());
  });
}

void Master::SetUpPartialRun(transport::PartialRunRequest request,
                             const transport::CallOptions& options,
                             transport::Reply<std::string> done) {
  if (absl::Status status = threads_.CheckRoom(); !status.ok()) return done(std::move(status));
  auto session = Find(request.session, options);
  if (!session.ok()) return done(session.status());
  threads_.Run([this, session = *std::move(session), request = std::move(request), options,
                done = std::move(done)]() mutable {
    done(NotUnavailable(session->SetUpPartialRun(
        {std::move(request.feeds), std::move(request.fetches), std::move(request.targets)},
        {Deadline(options), options.cancel})));
  });
}

void Master::CloseSession(const std::string& handle, const transport::CallOptions& options,
                          transport::Ack done) {
  std::shared_ptr<Session> session = Take(handle);
  if (session == nullptr) return done(Find(handle, options).status());
  threads_.Run([session = std::move(session), done = std::move(done)]() mutable {
    session->Close();
    session.reset();
    ReturnUnusedMemory();
    done(absl::OkStatus());
  });
}

void Master::ListDevices(const std::string& handle, const transport::CallOptions& options,
                         transport::Reply<transport::ListDevicesResult> done) {
  if (!handle.empty()) {
    auto session = Find(handle, options);
    if (!session.ok()) return done(InvalidArgument(session.status().message()));
    return done(transport::ListDevicesResult{(*session)->devices(), {}});
  }
  if (absl::Status status = threads_.CheckRoom(); !status.ok()) return done(std::move(status));
  threads_.Run([this, options, done = std::move(done)]() mutable {
    auto names = cluster_.Tasks({});
    if (!names.ok()) return done(names.status());
    auto tasks = cluster_.AwaitTasks(*names, Deadline(options), options.cancel, true);
    if (!tasks.ok()) return done(NotUnavailable(tasks.status()));
    transport::ListDevicesResult result;
    for (const auto& task : *tasks) {
      auto& list = task.task == cluster_.own_task() ? result.local : result.remote;
      list.insert(list.end(), task.devices.begin(), task.devices.end());
    }
    done(std::move(result));
  });
}

void Master::Reset(const std::vector<std::string>& containers,
                   const std::vector<std::string>& device_filters,
                   const transport::CallOptions& options, transport::Ack done) {
  std::vector<std::shared_ptr<Session>> sessions;
  {
    absl::MutexLock lock(&mu_);
    for (auto& [handle, session] : sessions_) sessions.push_back(std::move(session));
    sessions_.clear();
  }
  threads_.Run([this, sessions = std::move(sessions), containers, device_filters, options,
                done = std::move(done)]() mutable {
    auto names = cluster_.Tasks(device_filters);
    if (!names.ok()) return done(names.status());
    struct Nothing {};
    PendingReplies<Nothing> acks(names->size());
    transport::CallOptions call;
    call.deadline = Deadline(options);
    for (size_t i = 0; i < names->size(); ++i) {
      auto worker = cluster_.Worker((*names)[i]);
      if (worker.ok())
        (*worker)->ClearContainers(containers, call, acks.Ack(i));
      else
        acks.Put(i, worker.status());
    }
    const absl::Status status = FirstError(acks.Wait());
    // A task that does not answer would delay the error, which names it.
    if (!status.ok()) done(NotUnavailable(status));
    for (auto& session : sessions) session->Close();
    if (status.ok()) done(status);
  });
}

void Master::MakeCallable(transport::MakeCallableRequest request,
                          const transport::CallOptions& options, transport::Reply<int64_t> done) {
  if (absl::Status status = threads_.CheckRoom(); !status.ok()) return done(std::move(status));
  auto session = Find(request.session, options);
  if (!session.ok()) return done(session.status());
  threads_.Run([this, session = *std::move(session), request = std::move(request), options,
                done = std::move(done)]() mutable {
    done(NotUnavailable(session->MakeCallable(request, {Deadline(options), options.cancel})));
  });
}

void Master::RunCallable(transport::RunCallableRequest request,
                         const transport::CallOptions& options,
                         transport::Reply<transport::RunStepResult> done) {
  auto session = Find(request.session, options);
  if (!session.ok()) return done(session.status());
  auto callable = (*session)->FindCallable(request.callable);
  if (!callable.ok()) return done(callable.status());
  (*session)->Run(
      callable->graph, std::move(request.feeds), callable->options, options,
      [done = std::move(done)](absl::StatusOr<transport::RunStepResult> result) mutable {
        done(NotUnavailable(std::move(result)));
      });
}

void Master::ReleaseCallable(const std::string& handle, int64_t callable,
                             const transport::CallOptions& options, transport::Ack done) {
  auto session = Find(handle, options);
  if (session.ok()) (*session)->ReleaseCallable(callable);
  done(session.status());
}

}  // namespace sluice::master
