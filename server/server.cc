// SPDX-License-Identifier: Apache-2.0
#include "server/server.h"

#include <arpa/inet.h>

#include <algorithm>
#include <thread>

#include "absl/strings/strip.h"
#include "core/log.h"
#include "core/random_incarnation.h"
#include "core/threads/relieved_pool.h"
#include "core/version.h"
#include "graph/all_ops.h"
#include "kernels/cuda/collective/nccl_between_tasks.h"
#include "kernels/register.h"
#include "transport/busy_poll.h"
#include "transport/rpc/connect.h"
#include "transport/rpc/server.h"
#include "transport/selection/transport_table.h"

namespace sluice::server {

bool IsLoopback(const std::string& host) {
  in_addr v4 = {};
  return host.empty() || host == "localhost" || host == "::1" || host == "[::1]" ||
         (inet_pton(AF_INET, host.c_str(), &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127);
}

namespace {

int ThreadsOr(int wanted) {
  return wanted > 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

// Refuses to open a port to other machines by mistake: without TLS they could read the traffic,
// without a token use the server.
absl::Status CheckExposure(const ServerOptions& options, const transport::Credentials& own) {
  if (own.tls() && own.cert.empty())
    return InvalidArgument("a server with TLS requires a certificate: --tls_cert, --tls_key");
  if (options.mutual_tls && !own.tls())
    return InvalidArgument("--mtls requires --tls_ca, --tls_cert and --tls_key");
  if (IsLoopback(options.bind_host) || options.insecure) return absl::OkStatus();
  if (own.tls() && !own.token.empty()) return absl::OkStatus();
  return InvalidArgument("listening on \"", options.bind_host,
                         "\" opens this task to other machines, without ",
                         own.tls()           ? "a token"
                         : own.token.empty() ? "TLS and a token"
                                             : "TLS",
                         ": give --tls_ca, --tls_cert, --tls_key and --token_file, or allow it "
                         "with --insecure");
}

std::string BindAddress(const ServerOptions& options, const std::string& address) {
  const std::string port = address.substr(address.rfind(':') + 1);
  const std::string host = options.bind_host.empty() ? "127.0.0.1" : options.bind_host;
  return absl::StrCat(host, ":", port);
}

// A task without GPUs logs the reason and starts, unless the options require GPUs.
absl::Status AddGpus(const GpuOptions& options, const std::string& task, WorkQueue* pool,
                     worker::Worker::Options& worker) {
  absl::StatusOr<std::vector<std::unique_ptr<Device>>> gpus = CreateGpuDevices(options, task, pool);
  if (!gpus.ok()) {
    if (options.required || absl::IsInvalidArgument(gpus.status())) return gpus.status();
    worker.no_gpu = std::string(gpus.status().message());
    Log(LogLevel::kInfo, task, " has no GPU: ", worker.no_gpu);
    return absl::OkStatus();
  }
  for (std::unique_ptr<Device>& gpu : *gpus) {
    Log(LogLevel::kInfo, gpu->name(), ": ", gpu->attributes().description, ", ",
        gpu->attributes().memory_limit >> 20, " MiB");
    worker.devices.push_back(std::move(gpu));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Server>> Server::Start(const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server);
  SLUICE_RETURN_IF_ERROR(server->Assemble(options, /*listen=*/true));
  return server;
}

absl::StatusOr<std::unique_ptr<Server>> Server::InProcess(const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server);
  SLUICE_RETURN_IF_ERROR(server->Assemble(options, /*listen=*/false));
  return server;
}

absl::Status Server::Assemble(const ServerOptions& options, bool listen) {
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
  // Debian builds Abseil with debug checks: every Lock would look for cycles. Sanitizer builds keep
  // that.
  absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
#endif
  std::string address;
  if (listen) {
    SLUICE_ASSIGN(address, options.cluster.Address(options.job, options.task));
  }
  SLUICE_ASSIGN(const transport::Credentials credentials,
                transport::ReadCredentials(options.credentials));
  SLUICE_RETURN_IF_ERROR(CheckExposure(options, credentials));
  task_ = TaskName(options.job, options.task);
  inter_op_ = CreateRelievedThreadPool(ThreadsOr(options.inter_op_threads), "inter-op");
  intra_op_ = CreateThreadPool(ThreadsOr(options.intra_op_threads), "intra-op");

  std::vector<transport::PeerAddress> peers = options.cluster.Tasks();
  std::erase_if(peers, [&](const transport::PeerAddress& peer) { return peer.task == task_; });
  const uint64_t incarnation = RandomIncarnation();
  std::shared_ptr<transport::EventLoop> loop;
  if (listen) {
    loop = std::make_shared<transport::EventLoop>();
    SLUICE_RETURN_IF_ERROR(MakeConnector(options, credentials, incarnation, loop));
  }
  worker::Worker::Options worker;
  worker.task = task_;
  worker.address = address;
  worker.version = kVersion;
  for (int i = 0; i < std::max(1, options.cpu_devices); ++i) {
    const std::string name = absl::StrCat(task_, "/device:CPU:", i);
    worker.devices.push_back(options.asynchronous_devices ? CreateAsyncDevice(name, intra_op_.get())
                                                          : CreateCpuDevice(name, intra_op_.get()));
  }
  SLUICE_RETURN_IF_ERROR(AddGpus(options.gpus, task_, intra_op_.get(), worker));
  worker.device_library = kernels::NcclBetweenTasks();
  worker.kernels = kernels::AllKernels();
  worker.ops = &graph::AllOps();
  worker.pool = inter_op_.get();
  worker.deterministic = options.deterministic;
  worker.peers = peers;
  worker.connector = connector_.get();
  worker.client_gone = [this](const std::string& session) -> std::string {
    absl::MutexLock lock(&clients_mu_);
    return clients_ == nullptr ? "" : clients_->ClientGone(session);
  };
  worker_ = std::make_unique<worker::Worker>(std::move(worker));
  if (connector_ != nullptr) connector_->Attach(worker_.get());

  master::Master::Options master;
  master.ops = &graph::AllOps();
  master.name_task_in_errors = listen;
  master.sessions = options.sessions;
  master.cluster.task = task_;
  master.cluster.address = address;
  master.cluster.worker = worker_.get();
  master.cluster.peers = peers;
  master.cluster.connector = connector_.get();
  master_ = std::make_unique<master::Master>(std::move(master));
  {
    absl::MutexLock lock(&clients_mu_);
    clients_ = master_.get();
  }
  if (!listen) return absl::OkStatus();

  transport::GrpcServerOptions grpc;
  grpc.loop = loop;
  grpc.task = task_;
  grpc.incarnation = incarnation;
  grpc.bind_address = BindAddress(options, address);
  grpc.credentials = credentials;
  grpc.mutual_tls = options.mutual_tls;
  grpc.limits = options.connections;
  grpc.master = master_.get();
  grpc.worker = worker_.get();
  grpc.sink = worker_.get();
  grpc.handshake = connector_.get();
  grpc.groups = &worker_->groups();
  grpc.pipelines = worker_.get();
  SLUICE_ASSIGN(listener_, transport::CreateGrpcServer(grpc));
  return absl::OkStatus();
}

absl::Status Server::MakeConnector(const ServerOptions& options,
                                   const transport::Credentials& credentials, uint64_t incarnation,
                                   std::shared_ptr<transport::EventLoop> loop) {
  transport::SelectionOptions selection;
  selection.task = task_;
  selection.incarnation = incarnation;
  selection.peers = options.cluster.Tasks();
  std::erase_if(selection.peers, [&](const auto& peer) { return peer.task == task_; });
  SLUICE_ASSIGN(selection.preferred, transport::ParseTransports(options.transport));
  SLUICE_ASSIGN(const std::string address, options.cluster.Address(options.job, options.task));
  selection.calls = transport::CreateCallClient({.loop = loop, .credentials = credentials});
  transport::CreateTransports(
      {.self = {.task = task_, .incarnation = incarnation, .checksums = !options.no_checksums},
       .bind_host = options.bind_host,
       .address = address,
       .credentials = credentials,
       .limits = options.connections,
       .rdma = options.rdma,
       .poll = std::make_shared<transport::PollLoop>("transports", transport::BusyPollDuration()),
       .events = std::move(loop)},
      selection);
  connector_ = transport::CreateTransportSelection(std::move(selection));
  return absl::OkStatus();
}

Server::~Server() {
  Stop();
  absl::MutexLock lock(&clients_mu_);
  clients_ = nullptr;
}

int Server::port() const { return listener_ == nullptr ? 0 : listener_->port(); }

std::string Server::target() const { return absl::StrCat("grpc://localhost:", port()); }

void Server::Stop(absl::Duration grace) {
  {
    absl::MutexLock lock(&mu_);
    if (stopped_) return;
    stopped_ = true;
  }
  if (listener_ != nullptr) listener_->Stop(grace);
  if (connector_ != nullptr) connector_->Stop();
}

void Server::Join() {
  absl::MutexLock lock(&mu_);
  mu_.Await(absl::Condition(&stopped_));
}

}  // namespace sluice::server
