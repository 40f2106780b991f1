// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_TRANSPORT_RPC_HANDSHAKE_CALLS_H_
#define SLUICE_TRANSPORT_RPC_HANDSHAKE_CALLS_H_

#include <memory>
#include <string>
#include <vector>

#include "transport/grpc/target.h"
#include "transport/handshake.h"

namespace grpc {
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

struct RpcMethod;

// The methods of a HandshakeApi, which outlives them, for the server.
std::vector<RpcMethod> HandshakeMethods(HandshakeApi* handshake);

// The HandshakeApi of a task behind gRPC. `who` is for errors; the queue's loop outlives it.
std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target,
                                                    grpc::CompletionQueue* queue);
// The same with an event loop of its own.
std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_HANDSHAKE_CALLS_H_
