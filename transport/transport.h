#ifndef SLUICE_TRANSPORT_TRANSPORT_H_
#define SLUICE_TRANSPORT_TRANSPORT_H_

#include <memory>
#include <string>

#include "transport/master_api.h"
#include "transport/road_names.h"
#include "transport/tensor_channel.h"
#include "transport/worker_api.h"

namespace sluice::transport {

// A peer task as this task sees it.
struct PeerAddress {
  std::string task;     // "/job:worker/replica:0/task:1"
  std::string address;  // "host:port"
  // The name of this task at the peer; empty: its own name. A session with its own cluster gives
  // tasks other names, which end in "#" and the session.
  std::string as = "";
  // Allowed transports for tensors, for a session with its own choice; empty: those of this task's
  // configuration.
  RoadNames roads = {};
};

// A Transport connects to other tasks. Each back end is one folder with one CreateX that returns
// StatusOr<unique_ptr<Transport>>; kUnavailable with the reason if hardware or a library is
// missing.
//
// Owner:    Server. Outlives its channels and workers.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual absl::string_view name() const = 0;  // "grpc"
  // The receiver of all channels; set before the first channel. `sink` outlives the channels.
  virtual void Attach(TensorSink* sink) = 0;
  // Neither call waits for the peer. A channel may be one that others have too.
  virtual absl::StatusOr<std::unique_ptr<WorkerApi>> ConnectWorker(const PeerAddress& peer) = 0;
  virtual absl::StatusOr<std::shared_ptr<TensorChannel>> ConnectChannel(
      const PeerAddress& peer) = 0;
};

// Serves this task's master, worker and tensor streams to others.
//
// The gRPC server: CreateGrpcServer in transport/grpc/grpc_server.h. Stop() ends every call, frees
// the port; idempotent.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual int port() const = 0;
  virtual void Stop(absl::Duration grace) = 0;
};

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_TRANSPORT_H_
