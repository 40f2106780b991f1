#ifndef SLUICE_TRANSPORT_RPC_REMOTE_WORKER_H_
#define SLUICE_TRANSPORT_RPC_REMOTE_WORKER_H_

#include <memory>

#include "transport/grpc/target.h"
#include "transport/peer_address.h"
#include "transport/worker_api.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// The worker of another task. The queue's loop outlives it.
std::unique_ptr<WorkerApi> CreateRemoteWorker(const PeerAddress& peer, GrpcTarget target,
                                              grpc::CompletionQueue* queue);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_REMOTE_WORKER_H_
