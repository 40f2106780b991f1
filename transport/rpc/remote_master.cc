#include "transport/rpc/remote_master.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include "core/codec/codec.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/master.pb.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/codec.h"
#include "transport/rpc/unary_client.h"

namespace sluice::transport {
namespace {

using Bytes = absl::StatusOr<grpc::ByteBuffer>;

// The answer is a `Response`, and `convert` makes the result of it.
template <typename Response, typename T, typename Convert>
Reply<grpc::ByteBuffer> Converted(Reply<T> done, Convert convert) {
  return Decoded(std::move(done), [convert](const grpc::ByteBuffer& bytes) -> absl::StatusOr<T> {
    Response response;
    SLUICE_RETURN_IF_ERROR(Parse(bytes, &response));
    return convert(response);
  });
}

class RemoteMaster final : public MasterApi {
 public:
  RemoteMaster(const std::string& address, GrpcTarget target)
      : loop_(2),
        client_(absl::StrCat("the master at ", address), std::move(target), loop_.queue()) {}

  void CreateSession(CreateSessionRequest request, const CallOptions& options,
                     Reply<CreateSessionResult> done) override {
    proto::CreateSessionRequest proto;
    *proto.mutable_graph_def() = *request.graph;
    if (request.config != nullptr) *proto.mutable_config() = *request.config;
    proto.set_target(request.target);
    Call("CreateSession", Serialize(proto), options,
         Converted<proto::CreateSessionResponse, CreateSessionResult>(
             std::move(done), [](const auto& response) {
               return CreateSessionResult{response.session_handle(), response.graph_version()};
             }));
  }
  void ExtendSession(ExtendSessionRequest request, const CallOptions& options,
                     Reply<int64_t> done) override {
    proto::ExtendSessionRequest proto;
    proto.set_session_handle(request.session);
    *proto.mutable_graph_def() = *request.graph;
    proto.set_current_graph_version(request.graph_version);
    Call("ExtendSession", Serialize(proto), options,
         Converted<proto::ExtendSessionResponse, int64_t>(
             std::move(done), [](const auto& response) { return response.new_graph_version(); }));
  }
  void RunStep(RunStepRequest request, const CallOptions& options,
               Reply<RunStepResult> done) override {
    const Bytes bytes = EncodeRunStep(request);
    if (!bytes.ok()) return done(bytes.status());
    Call("RunStep", *bytes, options,
         Decoded(std::move(done), [names = std::move(request.fetches)](const auto& answer) {
           return DecodeRunStepResult(answer, names);
         }));
  }
  void SetUpPartialRun(PartialRunRequest request, const CallOptions& options,
                       Reply<std::string> done) override {
    proto::PartialRunSetupRequest proto;
    proto.set_session_handle(request.session);
    for (const std::string& feed : request.feeds) proto.add_feed(feed);
    for (const std::string& fetch : request.fetches) proto.add_fetch(fetch);
    for (const std::string& target : request.targets) proto.add_target(target);
    Call("PartialRunSetup", Serialize(proto), options,
         Converted<proto::PartialRunSetupResponse, std::string>(
             std::move(done), [](const auto& response) { return response.partial_run_handle(); }));
  }
  void CloseSession(const std::string& session, const CallOptions& options, Ack done) override {
    proto::CloseSessionRequest proto;
    proto.set_session_handle(session);
    CallForAck("CloseSession", proto, options, std::move(done));
  }
  void ListDevices(const std::string& session, const CallOptions& options,
                   Reply<ListDevicesResult> done) override {
    proto::ListDevicesRequest proto;
    proto.set_session_handle(session);
    Call("ListDevices", Serialize(proto), options,
         Converted<proto::ListDevicesResponse, ListDevicesResult>(
             std::move(done), [](const auto& response) {
               ListDevicesResult result;
               for (const auto& device : response.local_device())
                 result.local.push_back(DecodeDevice(device));
               for (const auto& device : response.remote_device())
                 result.remote.push_back(DecodeDevice(device));
               return result;
             }));
  }
  void Reset(const std::vector<std::string>& containers,
             const std::vector<std::string>& device_filters, const CallOptions& options,
             Ack done) override {
    proto::ResetRequest proto;
    for (const std::string& container : containers) proto.add_container(container);
    for (const std::string& filter : device_filters) proto.add_device_filters(filter);
    CallForAck("Reset", proto, options, std::move(done));
  }
  void MakeCallable(MakeCallableRequest request, const CallOptions& options,
                    Reply<int64_t> done) override {
    proto::MakeCallableRequest proto;
    proto.set_session_handle(request.session);
    proto::CallableOptions& callable = *proto.mutable_options();
    for (const std::string& feed : request.feeds) callable.add_feed(feed);
    for (const std::string& fetch : request.fetches) callable.add_fetch(fetch);
    for (const std::string& target : request.targets) callable.add_target(target);
    for (const auto& [from, to] : request.tensor_connections) {
      auto* connection = callable.add_tensor_connection();
      connection->set_from_tensor(from);
      connection->set_to_tensor(to);
    }
    callable.mutable_run_options()->set_timeout_in_ms(request.options.timeout_ms);
    Call("MakeCallable", Serialize(proto), options,
         Converted<proto::MakeCallableResponse, int64_t>(
             std::move(done), [](const auto& response) { return response.handle(); }));
  }
  void RunCallable(RunCallableRequest request, const CallOptions& options,
                   Reply<RunStepResult> done) override {
    const Bytes bytes = EncodeRunCallable(request);
    if (!bytes.ok()) return done(bytes.status());
    Call("RunCallable", *bytes, options, Decoded(std::move(done), DecodeRunCallableResult));
  }
  void ReleaseCallable(const std::string& session, int64_t callable, const CallOptions& options,
                       Ack done) override {
    proto::ReleaseCallableRequest proto;
    proto.set_session_handle(session);
    proto.set_handle(callable);
    CallForAck("ReleaseCallable", proto, options, std::move(done));
  }

 private:
  void Call(const char* method, const grpc::ByteBuffer& request, const CallOptions& options,
            Reply<grpc::ByteBuffer> done) {
    client_.Call(absl::StrCat("/tensorflow.MasterService/", method), request, options,
                 std::move(done), /*wait_for_ready=*/false);
  }
  void CallForAck(const char* method, const google::protobuf::Message& request,
                  const CallOptions& options, Ack done) {
    Call(method, Serialize(request), options,
         [done = std::move(done)](const Bytes& answer) mutable { done(answer.status()); });
  }

  EventLoop loop_;  // outlives the client's calls
  UnaryClient client_;
};

}  // namespace

std::unique_ptr<MasterApi> CreateRemoteMaster(const std::string& address, GrpcTarget target) {
  return std::make_unique<RemoteMaster>(address, std::move(target));
}

}  // namespace sluice::transport
