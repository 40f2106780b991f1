// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/handshake_calls.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include "proto/transports.pb.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/call.h"

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

void EncodeReply(const HandshakeReply& reply, proto::HandshakeResponse& to) {
  for (const ConnectionOffer& given : reply.offers) {
    auto* offer = to.add_offer();
    offer->set_transport(given.transport);
    offer->set_address(given.address);
    offer->set_token(given.token);
  }
  EncodeRefused(reply.refused, to.mutable_refused());
}

HandshakeReply DecodeReply(const proto::HandshakeResponse& from) {
  HandshakeReply reply;
  for (const auto& offer : from.offer())
    reply.offers.push_back({offer.transport(), offer.address(), offer.token()});
  reply.refused = DecodeRefused(from.refused());
  return reply;
}

void EncodeTransports(const TaskTransports& transports, proto::ListTransportsResponse& to) {
  to.set_task(transports.task);
  for (const TransportChoice& one : transports.choices) {
    auto* choice = to.add_choice();
    choice->set_peer(one.peer);
    choice->set_transport(one.transport);
    choice->set_address(one.address);
    EncodeRefused(one.passed_over, choice->mutable_passed_over());
  }
}

TaskTransports DecodeTransports(const proto::ListTransportsResponse& from) {
  TaskTransports transports;
  transports.task = from.task();
  for (const auto& choice : from.choice())
    transports.choices.push_back(
        {choice.peer(), choice.transport(), DecodeRefused(choice.passed_over()), choice.address()});
  return transports;
}

// --- The table ---

constexpr RpcCall kHandshake = {
    "/sluice.Transports/Handshake", RpcDuration::kLong, &HandshakeApi::Handshake,
    RequestOf<proto::HandshakeRequest>(
        [](const HandshakeRequest& from, auto& to) {
          to.set_task(from.peer.task);
          to.set_incarnation(from.peer.incarnation);
          to.set_host(from.peer.host);
          to.set_to(from.to);
          for (const std::string& transport : from.transports) to.add_transport(transport);
        },
        [](const auto& from) {
          return HandshakeRequest{{from->task(), from->incarnation(), from->host()},
                                  from->to(),
                                  {from->transport().begin(), from->transport().end()}};
        }),
    AnswerOf<proto::HandshakeResponse>(EncodeReply, DecodeReply)};

constexpr RpcCall kListTransports = {
    "/sluice.Transports/List", RpcDuration::kLong, &HandshakeApi::ListTransports,
    RequestOf<proto::ListTransportsRequest>([](auto&) {}, [](const auto&) { return std::tuple(); }),
    AnswerOf<proto::ListTransportsResponse>(EncodeTransports, DecodeTransports)};

class RemoteHandshake final : public HandshakeApi {
 public:
  RemoteHandshake(const std::string& who, GrpcTarget target, grpc::CompletionQueue* queue,
                  std::shared_ptr<EventLoop> loop)
      : loop_(std::move(loop)), client_(who, std::move(target), queue) {}

  void Handshake(const HandshakeRequest& request, const CallOptions& options,
                 Reply<HandshakeReply> done) override {
    Invoke(client_, kHandshake, options,
           Reply<HandshakeReply>([done = std::move(done)](auto reply) mutable {
             EventLoop::StepAside();  // connects transports now
             done(std::move(reply));
           }),
           request);
  }
  void ListTransports(const CallOptions& options, Reply<TaskTransports> done) override {
    Invoke(client_, kListTransports, options, std::move(done));
  }

 private:
  const std::shared_ptr<EventLoop> loop_;  // its own loop, or null
  UnaryClient client_;
};

}  // namespace

std::vector<RpcMethod> HandshakeMethods(HandshakeApi* handshake) {
  return MethodsOf(handshake, kHandshake, kListTransports);
}

std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target,
                                                    grpc::CompletionQueue* queue) {
  return std::make_unique<RemoteHandshake>(who, std::move(target), queue, nullptr);
}

std::unique_ptr<HandshakeApi> CreateRemoteHandshake(const std::string& who, GrpcTarget target) {
  auto loop = std::make_shared<EventLoop>(1);
  grpc::CompletionQueue* const queue = loop->queue();
  return std::make_unique<RemoteHandshake>(who, std::move(target), queue, std::move(loop));
}

}  // namespace sluice::transport
