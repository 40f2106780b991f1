#include "client/session.h"

#include <algorithm>
#include <map>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "server/server.h"
#include "transport/awaited.h"
#include "transport/debug_options.h"
#include "transport/grpc/grpc_transport.h"

namespace sluice::client {
namespace {

// How often a wait asks whether to go on, and how long it waits for the answer to a cancellation.
constexpr absl::Duration kPoll = absl::Milliseconds(50);
constexpr absl::Duration kPatience = absl::Milliseconds(1500);

using transport::Awaited;

// The answer, or CANCELLED soon after `go_on` (asked again and again; may be null) says no.
template <typename T>
absl::StatusOr<T> WaitWhile(const std::function<bool()>& go_on, Awaited<T>& call) {
  if (go_on == nullptr) return call.Wait();
  while (!call.WaitFor(kPoll)) {
    if (go_on()) continue;
    call.cancel()->Cancel(absl::CancelledError("the step was interrupted"));
    if (!call.WaitFor(kPatience)) {
      return absl::CancelledError("the step was interrupted, and its end not waited for");
    }
  }
  return call.Wait();
}

// Each local session is a cluster of one task of its own: variables live as long as the session, as
// in a direct session of TensorFlow.
absl::StatusOr<std::shared_ptr<server::Server>> LocalTask(const SessionOptions& options) {
  server::ServerOptions local;
  local.job = "localhost";
  local.cpu_devices = options.cpu_devices;
  local.asynchronous_devices = options.asynchronous_devices;
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

// Waits half a minute for a call without an answer but its status.
absl::Status WaitForAck(
    const std::function<void(const transport::CallOptions&, transport::Ack)>& start) {
  auto done = std::make_shared<absl::Notification>();
  auto status = std::make_shared<absl::Status>();
  transport::CallOptions call;
  call.deadline = absl::Now() + absl::Seconds(30);
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
  absl::MutexLock lock(&mu_);
  if (closed_) return FailedPrecondition("Session is closed.");
  const int ids = graph_->graph().num_ids();
  if (!handle_.empty() && ids == sent_ids_) return absl::OkStatus();
  auto def = std::make_shared<proto::GraphDef>();
  SLUICE_RETURN_IF_ERROR(graph_->Export(sent_ids_, def.get()));
  SLUICE_ASSIGN(const absl::Time deadline, Deadline(0));
  transport::CallOptions call;
  call.deadline = deadline;
  if (handle_.empty()) {
    auto config = std::make_shared<proto::ConfigProto>();
    if (!config->ParseFromString(options_.config))
      return InvalidArgument("config is not a serialised ConfigProto");
    if (options_.allow_soft_placement) config->set_allow_soft_placement(true);
    if (options_.log_device_placement) config->set_log_device_placement(true);
    if (options_.isolate_session_state) config->set_isolate_session_state(true);
    if (options_.operation_timeout_ms > 0)
      config->set_operation_timeout_in_ms(options_.operation_timeout_ms);
    for (const std::string& filter : options_.device_filters) config->add_device_filters(filter);
    Awaited<transport::CreateSessionResult> created;
    call.cancel = created.cancel();
    master_->CreateSession({def, config, options_.target}, call, created.reply());
    SLUICE_ASSIGN(transport::CreateSessionResult result, WaitWhile(go_on, created));
    handle_ = std::move(result.session);
    version_ = result.graph_version;
  } else {
    Awaited<int64_t> extended;
    call.cancel = extended.cancel();
    master_->ExtendSession({handle_, def, version_}, call, extended.reply());
    SLUICE_ASSIGN(version_, WaitWhile(go_on, extended));
  }
  sent_ids_ = ids;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Tensor>> Session::Run(const Feeds& feeds,
                                                 const std::vector<std::string>& fetches,
                                                 const std::vector<std::string>& targets,
                                                 const RunOptions& options) {
  SLUICE_RETURN_IF_ERROR(SendGraph(options.go_on));
  transport::RunStepRequest request;
  request.session = handle();
  // A master refuses to fetch what is fed: the answer is here.
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
  Awaited<transport::RunStepResult> answer;
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
                                                     const std::vector<std::string>& targets) {
  SLUICE_RETURN_IF_ERROR(SendGraph(nullptr));
  SLUICE_ASSIGN(const absl::Time deadline, Deadline(0));
  Awaited<std::string> answer;
  transport::CallOptions call;
  call.deadline = deadline;
  master_->SetUpPartialRun({handle(), feeds, fetches, targets}, call, answer.reply());
  return answer.Wait();
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
  Awaited<int64_t> answer;
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
  std::vector<std::shared_ptr<CancelToken>> runs;
  {
    absl::MutexLock lock(&runs_mu_);
    runs = runs_;
  }
  for (const auto& run : runs) run->Cancel(absl::CancelledError("the step was interrupted"));
}

absl::StatusOr<transport::ListDevicesResult> Session::ListDevices() {
  SLUICE_RETURN_IF_ERROR(SendGraph(nullptr));
  Awaited<transport::ListDevicesResult> answer;
  master_->ListDevices(handle(), {}, answer.reply());
  return answer.Wait();
}

absl::Status Session::Close() {
  std::string handle;
  {
    absl::MutexLock lock(&mu_);
    if (closed_) return absl::OkStatus();
    closed_ = true;
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
                            const std::vector<std::string>& device_filters,
                            const transport::CredentialFiles& files) {
  SLUICE_ASSIGN(auto master, ConnectMaster(target, files));
  return WaitForAck([&](const transport::CallOptions& call, transport::Ack done) {
    master->Reset(containers, device_filters, call, std::move(done));
  });
}

}  // namespace sluice::client
