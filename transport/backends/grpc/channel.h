// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_BACKENDS_GRPC_CHANNEL_H_
#define SLUICE_TRANSPORT_BACKENDS_GRPC_CHANNEL_H_

#include <memory>
#include <string>

#include "transport/grpc/target.h"
#include "transport/protocol/stream_sender.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

// The sending end of the tensor stream to one peer. If the peer answers nothing on it for `silence`
// while a run is pending, the stream ends.
// REQUIRES: `queue`'s loop and `sink` outlive it.
std::unique_ptr<TensorChannel> CreateGrpcChannel(StreamIdentity self, const PeerAddress& peer,
                                                 GrpcTarget target, grpc::CompletionQueue* queue,
                                                 absl::Duration silence, TensorSink* sink);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_BACKENDS_GRPC_CHANNEL_H_
