#ifndef SLUICE_TRANSPORT_GRPC_REMOTE_INTRODUCER_H_
#define SLUICE_TRANSPORT_GRPC_REMOTE_INTRODUCER_H_

#include <memory>
#include <string>

#include "transport/grpc/line.h"
#include "transport/introducer.h"

namespace grpc {
class ByteBuffer;
class CompletionQueue;
}  // namespace grpc

namespace sluice::transport {

inline constexpr char kIntroduceMethod[] = "/sluice.Roads/Introduce";
inline constexpr char kListRoadsMethod[] = "/sluice.Roads/List";

// The Introducer of a task behind gRPC. `who` is for errors; the queue's loop outlives it.
std::unique_ptr<Introducer> CreateRemoteIntroducer(const std::string& who, Line line,
                                                   grpc::CompletionQueue* queue);
// The same with an event loop of its own.
std::unique_ptr<Introducer> CreateRemoteIntroducer(const std::string& who, Line line);

// The same messages on the server's side.
void AnswerIntroduce(Introducer& introducer, const grpc::ByteBuffer& request,
                     const CallOptions& options, Reply<grpc::ByteBuffer> answer);
void AnswerListRoads(Introducer& introducer, const grpc::ByteBuffer& request,
                     const CallOptions& options, Reply<grpc::ByteBuffer> answer);

}  // namespace sluice::transport

#endif  // SLUICE_TRANSPORT_GRPC_REMOTE_INTRODUCER_H_
