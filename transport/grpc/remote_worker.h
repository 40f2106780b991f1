#ifndef SLUICE_TRANSPORT_GRPC_REMOTE_WORKER_H_
#define SLUICE_TRANSPORT_GRPC_REMOTE_WORKER_H_

#include <memory>

#include "transport/transport.h"

namespace grpc {
class Channel;
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// The worker of another task. The queue's loop outlives it.
std::unique_ptr<WorkerApi> CreateRemoteWorker(const PeerAddress& peer,
                                              std::shared_ptr<grpc::Channel> channel,
                                              grpc::CompletionQueue* queue);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_REMOTE_WORKER_H_
