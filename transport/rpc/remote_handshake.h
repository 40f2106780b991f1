#ifndef SLUICE_TRANSPORT_RPC_REMOTE_HANDSHAKE_H_
#define SLUICE_TRANSPORT_RPC_REMOTE_HANDSHAKE_H_

#include <memory>
#include <string>

#include "transport/grpc/target.h"
#include "transport/handshake.h"

namespace grpc {
class ByteBuffer;
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

inline constexpr char kHandshakeMethod[] = "/sluice.Transports/Handshake";
inline constexpr char kListTransportsMethod[] = "/sluice.Transports/List";

// The HandshakeApi of a task behind gRPC. `who` is for errors; the queue's loop outlives it.
std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target,
                                                    grpc::CompletionQueue* queue);
// The same with an event loop of its own.
std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target);

// The same messages on the server's side.
void AnswerHandshake(HandshakeApi& handshake, const grpc::ByteBuffer& request,
                     const CallOptions& options, Reply<grpc::ByteBuffer> answer);
void AnswerListTransports(HandshakeApi& handshake, const grpc::ByteBuffer& request,
                          const CallOptions& options, Reply<grpc::ByteBuffer> answer);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_RPC_REMOTE_HANDSHAKE_H_
