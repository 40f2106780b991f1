#include "transport/rpc/remote_handshake.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include "proto/transports.pb.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/codec.h"
#include "transport/rpc/unary_client.h"

namespace sluice::transport {
namespace {

template <typename Repeated>
void EncodeRefused(const std::vector<RefusedTransport>& refused, Repeated* to) {
  for (const RefusedTransport& one : refused) {
    proto::RefusedTransport* encoded = to->Add();
    encoded->set_transport(one.transport);
    encoded->set_why(one.why);
    encoded->set_rare(one.rare);
  }
}

template <typename Repeated>
std::vector<RefusedTransport> DecodeRefused(const Repeated& from) {
  std::vector<RefusedTransport> refused;
  for (const proto::RefusedTransport& one : from)
    refused.push_back({one.transport(), one.why(), one.rare()});
  return refused;
}

absl::StatusOr<HandshakeReply> DecodeHandshakeReply(const grpc::ByteBuffer& bytes) {
  proto::HandshakeResponse response;
  SLUICE_RETURN_IF_ERROR(Parse(bytes, &response));
  HandshakeReply reply;
  for (const auto& offer : response.offer())
    reply.offers.push_back({offer.transport(), offer.address(), offer.token()});
  reply.refused = DecodeRefused(response.refused());
  return reply;
}

absl::StatusOr<TaskTransports> DecodeTransports(const grpc::ByteBuffer& bytes) {
  proto::ListTransportsResponse response;
  SLUICE_RETURN_IF_ERROR(Parse(bytes, &response));
  TaskTransports transports;
  transports.task = response.task();
  for (const auto& choice : response.choice())
    transports.choices.push_back(
        {choice.peer(), choice.transport(), DecodeRefused(choice.passed_over()), choice.address()});
  return transports;
}

class RemoteHandshake final : public HandshakeApi {
 public:
  RemoteHandshake(const std::string& who, GrpcTarget target, grpc::CompletionQueue* queue,
                  std::shared_ptr<EventLoop> loop)
      : loop_(std::move(loop)), client_(who, std::move(target), queue) {}

  void Handshake(const HandshakeRequest& request, const CallOptions& options,
                 Reply<HandshakeReply> done) override {
    proto::HandshakeRequest encoded;
    encoded.set_task(request.peer.task);
    encoded.set_incarnation(request.peer.incarnation);
    encoded.set_host(request.peer.host);
    encoded.set_to(request.to);
    for (const std::string& transport : request.transports) encoded.add_transport(transport);
    client_.Call(kHandshakeMethod, Serialize(encoded), options,
                 [done = std::move(done)](absl::StatusOr<grpc::ByteBuffer> answer) mutable {
                   EventLoop::StepAside();  // transports are connected now
                   if (answer.ok())
                     done(DecodeHandshakeReply(*answer));
                   else
                     done(answer.status());
                 });
  }
  void ListTransports(const CallOptions& options, Reply<TaskTransports> done) override {
    client_.Call(kListTransportsMethod, Serialize(proto::ListTransportsRequest()), options,
                 Decoded(std::move(done), DecodeTransports));
  }

 private:
  const std::shared_ptr<EventLoop> loop_;  // its own, or null
  UnaryClient client_;
};

}  // namespace

std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target,
                                                    grpc::CompletionQueue* queue) {
  return std::make_unique<RemoteHandshake>(who, std::move(target), queue, nullptr);
}

std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target) {
  auto loop = std::make_shared<EventLoop>(1);
  grpc::CompletionQueue* const queue = loop->queue();
  return std::make_unique<RemoteHandshake>(who, std::move(target), queue, std::move(loop));
}

void AnswerHandshake(HandshakeApi& handshake, const grpc::ByteBuffer& bytes,
                     const CallOptions& options, Reply<grpc::ByteBuffer> answer) {
  proto::HandshakeRequest encoded;
  if (absl::Status status = Parse(bytes, &encoded); !status.ok()) return answer(std::move(status));
  HandshakeRequest request{{encoded.task(), encoded.incarnation(), encoded.host()},
                           encoded.to(),
                           {encoded.transport().begin(), encoded.transport().end()}};
  handshake.Handshake(request, options,
                      [answer = std::move(answer)](absl::StatusOr<HandshakeReply> reply) mutable {
                        if (!reply.ok()) return answer(reply.status());
                        proto::HandshakeResponse response;
                        for (const ConnectionOffer& given : reply->offers) {
                          auto* offer = response.add_offer();
                          offer->set_transport(given.transport);
                          offer->set_address(given.address);
                          offer->set_token(given.token);
                        }
                        EncodeRefused(reply->refused, response.mutable_refused());
                        answer(Serialize(response));
                      });
}

void AnswerListTransports(HandshakeApi& handshake, const grpc::ByteBuffer&,
                          const CallOptions& options, Reply<grpc::ByteBuffer> answer) {
  handshake.ListTransports(
      options, [answer = std::move(answer)](absl::StatusOr<TaskTransports> transports) mutable {
        if (!transports.ok()) return answer(transports.status());
        proto::ListTransportsResponse response;
        response.set_task(transports->task);
        for (const TransportChoice& one : transports->choices) {
          auto* choice = response.add_choice();
          choice->set_peer(one.peer);
          choice->set_transport(one.transport);
          choice->set_address(one.address);
          EncodeRefused(one.passed_over, choice->mutable_passed_over());
        }
        answer(Serialize(response));
      });
}

}  // namespace sluice::transport
