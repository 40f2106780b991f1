// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_SERVER_H_
#define SLUICE_TRANSPORT_RPC_SERVER_H_

#include <memory>
#include <string>

#include "absl/time/time.h"
#include "transport/admission/connection_limits.h"
#include "transport/credentials.h"
#include "transport/groups_api.h"
#include "transport/grpc/event_loop.h"
#include "transport/handshake.h"
#include "transport/master_api.h"
#include "transport/pipelines_api.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// Serves this task's master, worker and tensor streams to others. Stop ends every call and frees
// the port. Idempotent.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual int port() const = 0;
  virtual void Stop(absl::Duration grace) = 0;
};

struct GrpcServerOptions {
  std::string task;             // "/job:ps/replica:0/task:0"
  std::string bind_address;     // "127.0.0.1:2222", "[::1]:0"; port 0: any
  uint64_t incarnation = 0;     // of this task; peers that open a stream get it
  MasterApi* master = nullptr;  // these outlive the listener
  WorkerApi* worker = nullptr;
  TensorSink* sink = nullptr;
  HandshakeApi* handshake = nullptr;  // null: tensors are received only by gRPC
  GroupsApi* groups = nullptr;        // null: this task has no groups
  PipelinesApi* pipelines = nullptr;  // null: this task does not list its data sets
  std::shared_ptr<EventLoop> loop;    // the transport's loop; if null, a loop of its own
  // certificates, if TLS is on, and the token that every call must carry
  Credentials credentials = {};
  bool mutual_tls = false;  // clients must have certificates too
  ConnectionLimits limits = {};
  // After this time a peer whose tensors are awaited, and that answers no ping, counts as lost.
  absl::Duration silence = absl::Seconds(10);
};

// Answers MasterService and WorkerService under TensorFlow's method paths, and peers' tensor
// streams. A call without the token gets UNAUTHENTICATED, for every method, and its message is not
// read. UNAVAILABLE names the address and the system's error if the address cannot be bound.
absl::StatusOr<std::unique_ptr<Listener>> CreateGrpcServer(const GrpcServerOptions& options);

// Process-wide malloc settings (mallopt). Without them page faults halve the throughput of large
// messages. Call it once, in main.
void TuneMalloc();

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_SERVER_H_
