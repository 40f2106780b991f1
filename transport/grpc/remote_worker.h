#ifndef SLUICE_TRANSPORT_GRPC_REMOTE_WORKER_H_
#define SLUICE_TRANSPORT_GRPC_REMOTE_WORKER_H_

#include <memory>

#include "transport/grpc/line.h"
#include "transport/transport.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// The worker of another task. The queue's loop outlives it.
std::unique_ptr<WorkerApi> CreateRemoteWorker(const PeerAddress& peer, Line line,
                                              grpc::CompletionQueue* queue);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_REMOTE_WORKER_H_
