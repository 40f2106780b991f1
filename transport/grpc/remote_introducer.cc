#include "transport/grpc/remote_introducer.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include "proto/roads.pb.h"
#include "transport/grpc/codec.h"
#include "transport/grpc/event_loop.h"
#include "transport/grpc/unary_client.h"

namespace sluice::transport {
namespace {

template <typename Repeated>
void EncodeRefused(const std::vector<RefusedRoad>& refused, Repeated* to) {
  for (const RefusedRoad& one : refused) {
    proto::RefusedRoad* encoded = to->Add();
    encoded->set_road(one.road);
    encoded->set_why(one.why);
    encoded->set_rare(one.rare);
  }
}

template <typename Repeated>
std::vector<RefusedRoad> DecodeRefused(const Repeated& from) {
  std::vector<RefusedRoad> refused;
  for (const proto::RefusedRoad& one : from) refused.push_back({one.road(), one.why(), one.rare()});
  return refused;
}

absl::StatusOr<Welcome> DecodeWelcome(const grpc::ByteBuffer& bytes) {
  proto::IntroduceResponse response;
  SLUICE_RETURN_IF_ERROR(Parse(bytes, &response));
  Welcome welcome;
  for (const auto& invitation : response.invitation())
    welcome.invitations.push_back({invitation.road(), invitation.address(), invitation.token()});
  welcome.refused = DecodeRefused(response.refused());
  return welcome;
}

absl::StatusOr<TaskRoads> DecodeRoads(const grpc::ByteBuffer& bytes) {
  proto::ListRoadsResponse response;
  SLUICE_RETURN_IF_ERROR(Parse(bytes, &response));
  TaskRoads roads;
  roads.task = response.task();
  for (const auto& choice : response.choice())
    roads.choices.push_back(
        {choice.peer(), choice.road(), DecodeRefused(choice.passed_over()), choice.address()});
  return roads;
}

class RemoteIntroducer final : public Introducer {
 public:
  RemoteIntroducer(const std::string& who, Line line, grpc::CompletionQueue* queue,
                   std::shared_ptr<EventLoop> loop)
      : loop_(std::move(loop)), client_(who, std::move(line), queue) {}

  void Introduce(const Introduction& introduction, const CallOptions& options,
                 Reply<Welcome> done) override {
    proto::IntroduceRequest request;
    request.set_task(introduction.visitor.task);
    request.set_incarnation(introduction.visitor.incarnation);
    request.set_host(introduction.visitor.host);
    request.set_to(introduction.to);
    for (const std::string& road : introduction.roads) request.add_road(road);
    client_.Call(kIntroduceMethod, Serialize(request), options,
                 [done = std::move(done)](absl::StatusOr<grpc::ByteBuffer> answer) mutable {
                   EventLoop::StepAside();  // transports are connected now
                   if (answer.ok())
                     done(DecodeWelcome(*answer));
                   else
                     done(answer.status());
                 });
  }
  void ListRoads(const CallOptions& options, Reply<TaskRoads> done) override {
    client_.Call(kListRoadsMethod, Serialize(proto::ListRoadsRequest()), options,
                 Decoded(std::move(done), DecodeRoads));
  }

 private:
  const std::shared_ptr<EventLoop> loop_;  // its own, or null
  UnaryClient client_;
};

}  // namespace

std::unique_ptr<Introducer> CreateRemoteIntroducer(const std::string& who, Line line,
                                                   grpc::CompletionQueue* queue) {
  return std::make_unique<RemoteIntroducer>(who, std::move(line), queue, nullptr);
}

std::unique_ptr<Introducer> CreateRemoteIntroducer(const std::string& who, Line line) {
  auto loop = std::make_shared<EventLoop>(1);
  grpc::CompletionQueue* const queue = loop->queue();
  return std::make_unique<RemoteIntroducer>(who, std::move(line), queue, std::move(loop));
}

void AnswerIntroduce(Introducer& introducer, const grpc::ByteBuffer& bytes,
                     const CallOptions& options, Reply<grpc::ByteBuffer> answer) {
  proto::IntroduceRequest request;
  if (absl::Status status = Parse(bytes, &request); !status.ok()) return answer(std::move(status));
  Introduction introduction{{request.task(), request.incarnation(), request.host()},
                            request.to(),
                            {request.road().begin(), request.road().end()}};
  introducer.Introduce(introduction, options,
                       [answer = std::move(answer)](absl::StatusOr<Welcome> welcome) mutable {
                         if (!welcome.ok()) return answer(welcome.status());
                         proto::IntroduceResponse response;
                         for (const Invitation& given : welcome->invitations) {
                           auto* invitation = response.add_invitation();
                           invitation->set_road(given.road);
                           invitation->set_address(given.address);
                           invitation->set_token(given.token);
                         }
                         EncodeRefused(welcome->refused, response.mutable_refused());
                         answer(Serialize(response));
                       });
}

void AnswerListRoads(Introducer& introducer, const grpc::ByteBuffer&, const CallOptions& options,
                     Reply<grpc::ByteBuffer> answer) {
  introducer.ListRoads(options,
                       [answer = std::move(answer)](absl::StatusOr<TaskRoads> roads) mutable {
                         if (!roads.ok()) return answer(roads.status());
                         proto::ListRoadsResponse response;
                         response.set_task(roads->task);
                         for (const RoadChoice& one : roads->choices) {
                           auto* choice = response.add_choice();
                           choice->set_peer(one.peer);
                           choice->set_road(one.road);
                           choice->set_address(one.address);
                           EncodeRefused(one.passed_over, choice->mutable_passed_over());
                         }
                         answer(Serialize(response));
                       });
}

}  // namespace sluice::transport
