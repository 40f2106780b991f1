#include "transport/rpc/remote_worker.h"

#include <grpcpp/support/byte_buffer.h>

#include "absl/strings/numbers.h"
#include "core/version.h"
#include "proto/graph.pb.h"
#include "proto/server.pb.h"
#include "proto/worker.pb.h"
#include "transport/debug_options.h"
#include "transport/rpc/codec.h"
#include "transport/rpc/unary_client.h"
#include "transport/rpc/worker_codec.h"

namespace sluice::transport {
namespace {

class RemoteWorker final : public WorkerApi {
 public:
  RemoteWorker(const PeerAddress& peer, GrpcTarget target, grpc::CompletionQueue* queue)
      : client_(absl::StrCat(peer.task, " at ", peer.address), std::move(target), queue) {}

  void GetStatus(const CallOptions& options, Reply<TaskStatus> done) override {
    Call("GetStatus", Serialize(proto::GetStatusRequest()), options,
         Decoded(std::move(done), DecodeTaskStatus));
  }
  void CreateSession(const CreateWorkerSession& request, const CallOptions& options,
                     Ack done) override {
    proto::CreateWorkerSessionRequest proto;
    proto.set_session_handle(request.session);
    proto.set_isolate_session_state(request.isolate_state);
    proto.set_master_task(request.master_task);
    if (!request.cluster.empty()) *proto.mutable_server_def() = EncodeCluster(request);
    proto.set_transport(request.transport);
    proto.set_sluice_version(kVersion);
    proto.set_master_incarnation(static_cast<int64_t>(request.master));
    CallForAck("CreateWorkerSession", proto, options, std::move(done));
  }
  void DeleteSession(const std::string& session, const CallOptions& options, Ack done) override {
    proto::DeleteWorkerSessionRequest proto;
    proto.set_session_handle(session);
    CallForAck("DeleteWorkerSession", proto, options, std::move(done));
  }
  void Register(const RegisterGraph& request, const CallOptions& options,
                Reply<uint64_t> done) override {
    proto::RegisterGraphRequest proto;
    proto.set_session_handle(request.session);
    *proto.mutable_graph_def() = *request.graph;
    proto.set_create_worker_session_called(true);
    if (!request.debug_urls.empty())
      EncodeDebugUrls(request.debug_urls, proto.mutable_debug_options());
    Call("RegisterGraph", Serialize(proto), options, Decoded(std::move(done), HandleOf));
  }
  void Deregister(const std::string& session, uint64_t graph, const CallOptions& options,
                  Ack done) override {
    proto::DeregisterGraphRequest proto;
    proto.set_session_handle(session);
    proto.set_graph_handle(absl::StrCat(graph));
    proto.set_create_worker_session_called(true);
    CallForAck("DeregisterGraph", proto, options, std::move(done));
  }
  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    Call("RunGraph", EncodeRunGraph(request), options,
         Decoded(std::move(done), DecodeRunGraphResult));
  }
  void ClearContainers(const std::vector<std::string>& containers, const CallOptions& options,
                       Ack done) override {
    proto::CleanupAllRequest proto;
    for (const std::string& container : containers) proto.add_container(container);
    CallForAck("CleanupAll", proto, options, std::move(done));
  }

 private:
  static absl::StatusOr<uint64_t> HandleOf(const grpc::ByteBuffer& answer) {
    proto::RegisterGraphResponse response;
    SLUICE_RETURN_IF_ERROR(Parse(answer, &response));
    uint64_t handle = 0;
    if (!absl::SimpleAtoi(response.graph_handle(), &handle))
      return Internal("malformed graph handle ", response.graph_handle());
    return handle;
  }
  void Call(const char* method, const grpc::ByteBuffer& request, const CallOptions& options,
            Reply<grpc::ByteBuffer> done) {
    client_.Call(absl::StrCat("/tensorflow.WorkerService/", method), request, options,
                 std::move(done));
  }
  void CallForAck(const char* method, const google::protobuf::Message& request,
                  const CallOptions& options, Ack done) {
    Call(method, Serialize(request), options,
         [done = std::move(done)](const absl::StatusOr<grpc::ByteBuffer>& answer) mutable {
           done(answer.status());
         });
  }

  UnaryClient client_;
};

}  // namespace

std::unique_ptr<WorkerApi> CreateRemoteWorker(const PeerAddress& peer, GrpcTarget target,
                                              grpc::CompletionQueue* queue) {
  return std::make_unique<RemoteWorker>(peer, std::move(target), queue);
}

}  // namespace sluice::transport
