// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_WORKER_CALLS_H_
#define SLUICE_TRANSPORT_RPC_WORKER_CALLS_H_

#include <memory>
#include <vector>

#include "transport/grpc/target.h"
#include "transport/peer_address.h"
#include "transport/worker_api.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

struct RpcMethod;

// The methods of a worker, which outlives them, for the server.
std::vector<RpcMethod> WorkerMethods(WorkerApi* worker);

// The worker of another task. The queue's loop outlives it.
std::unique_ptr<WorkerApi> CreateRemoteWorker(const PeerAddress& peer, GrpcTarget target,
                                              grpc::CompletionQueue* queue);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_WORKER_CALLS_H_
