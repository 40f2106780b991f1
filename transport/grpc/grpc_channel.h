#ifndef SLUICE_TRANSPORT_GRPC_GRPC_CHANNEL_H_
#define SLUICE_TRANSPORT_GRPC_GRPC_CHANNEL_H_

#include <memory>
#include <string>

#include "transport/grpc/grpc_transport.h"
#include "transport/grpc/line.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// The sending end of the tensor stream to one peer. `queue`'s loop and `sink` outlive it.
std::unique_ptr<TensorChannel> CreateGrpcChannel(const GrpcTransportOptions& options,
                                                 const PeerAddress& peer, Line line,
                                                 grpc::CompletionQueue* queue, TensorSink* sink);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_GRPC_CHANNEL_H_
