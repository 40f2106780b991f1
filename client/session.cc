#include "client/session.h"

#include <algorithm>
#include <map>

#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "server/server.h"
#include "transport/awaited.h"
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
  SLUICE_ASSIGN(remote_, transport::ConnectGrpcMaster(options_.target));
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
  {
    absl::MutexLock lock(&mu_);
    request.session = handle_;
  }
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
  request.options.timeout_ms = options.timeout_ms;
  request.options.trace = options.trace;
  SLUICE_ASSIGN(const absl::Time deadline, Deadline(options.timeout_ms));
  Awaited<transport::RunStepResult> answer;
  transport::CallOptions call;
  call.deadline = deadline;
  call.cancel = answer.cancel();
  {
    absl::MutexLock lock(&runs_mu_);
    runs_.push_back(answer.shared_cancel());
  }
  master_->RunStep(std::move(request), call, answer.reply());
  absl::StatusOr<transport::RunStepResult> result = WaitWhile(options.go_on, answer);
  {
    absl::MutexLock lock(&runs_mu_);
    runs_.erase(std::find(runs_.begin(), runs_.end(), answer.shared_cancel()));
  }
  if (!result.ok()) return result.status();
  return with_fed(std::move(result->fetches));
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
  std::string handle;
  {
    absl::MutexLock lock(&mu_);
    handle = handle_;
  }
  Awaited<transport::ListDevicesResult> answer;
  master_->ListDevices(handle, {}, answer.reply());
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
  auto done = std::make_shared<absl::Notification>();
  auto status = std::make_shared<absl::Status>();
  transport::CallOptions call;
  call.deadline = absl::Now() + absl::Seconds(30);
  master_->CloseSession(handle, call, [done, status](absl::Status s) {
    *status = std::move(s);
    done->Notify();
  });
  done->WaitForNotification();
  return *status;
}

}  // namespace sluice::client
