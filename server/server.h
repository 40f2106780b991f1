// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_SERVER_SERVER_H_
#define SLUICE_SERVER_SERVER_H_

#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "core/device/gpu_devices.h"
#include "core/threads/thread_pool.h"
#include "master/master.h"
#include "server/cluster_spec.h"
#include "transport/admission/connection_limits.h"
#include "transport/connector.h"
#include "transport/credentials.h"
#include "transport/rdma_options.h"
#include "transport/rpc/server.h"
#include "transport/selection/transport_selection.h"
#include "worker_service/worker.h"

namespace sluice::server {

struct ServerOptions {
  ClusterSpec cluster;
  std::string job;
  int task = 0;
  std::string bind_host;           // empty: loopback, with the port of the task's address
  std::string transport = "auto";  // for tensors, in the format of transport::ParseTransports
  bool no_checksums = false;       // of the tensors that this task sends beyond its host
  transport::RdmaSettings rdma = {};
  transport::CredentialFiles credentials;  // for TLS: ca, cert and key
  bool mutual_tls = false;  // clients need a certificate too, signed by the authority
  transport::ConnectionLimits connections = {};
  bool insecure = false;  // must be true if bind_host is not loopback, unless there
                          // are TLS and a token
  int cpu_devices = 1;
  int inter_op_threads = 0;  // 0: as many as cores
  int intra_op_threads = 0;
  bool deterministic = false;  // see worker::TaskRules
  master::SessionLimits sessions = {};
  GpuOptions gpus = {};
  bool asynchronous_devices =
      false;  // the asynchronous test device in place of CPU devices, for tests
};

// Whether only this machine reaches a server that listens on `host`; empty: the default.
bool IsLoopback(const std::string& host);

// A Server is one task of a cluster: it assembles devices, kernels, transports, worker and master,
// and listens.
//
// Owner:    main, or the embedding program.
// Threads:  any.
class Server {
 public:
  // Returns once it listens. INVALID_ARGUMENT: the configuration; UNAVAILABLE: the address cannot
  // be bound.
  static absl::StatusOr<std::unique_ptr<Server>> Start(const ServerOptions& options);
  // A cluster of one that does not listen, for local sessions.
  static absl::StatusOr<std::unique_ptr<Server>> InProcess(const ServerOptions& options);
  ~Server();

  transport::MasterApi& master() { return *master_; }
  const std::string& task() const { return task_; }
  int port() const;            // 0 for InProcess
  std::string target() const;  // "grpc://localhost:2222"
  // Ends every call, then the server. Idempotent. Join returns once it is done.
  void Stop(absl::Duration grace = absl::Seconds(1));
  void Join();

 private:
  Server() = default;
  absl::Status Assemble(const ServerOptions& options, bool listen);
  absl::Status MakeConnector(const ServerOptions& options,
                             const transport::Credentials& credentials, uint64_t incarnation,
                             std::shared_ptr<transport::EventLoop> loop);

  // Destroyed from the last to the first: each object outlives its users.
  std::string task_;
  std::unique_ptr<WorkQueue> inter_op_;
  std::unique_ptr<WorkQueue> intra_op_;
  std::unique_ptr<transport::TransportSelection> connector_;
  absl::Mutex clients_mu_;
  master::Master* clients_ ABSL_GUARDED_BY(clients_mu_) = nullptr;  // for the worker
  std::unique_ptr<worker::Worker> worker_;
  std::unique_ptr<master::Master> master_;
  std::unique_ptr<transport::Listener> listener_;

  absl::Mutex mu_;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace sluice::server

#endif  // SLUICE_SERVER_SERVER_H_
