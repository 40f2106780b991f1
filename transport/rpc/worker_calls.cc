// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/worker_calls.h"

#include <grpcpp/support/byte_buffer.h>

#include "absl/strings/numbers.h"
#include "core/version.h"
#include "proto/graph.pb.h"
#include "proto/server.pb.h"
#include "proto/worker.pb.h"
#include "transport/debug_options.h"
#include "transport/rpc/call.h"
#include "transport/rpc/worker_codec.h"

namespace sluice::transport {
namespace {

void EncodeSession(const CreateWorkerSession& from, proto::CreateWorkerSessionRequest& to) {
  to.set_session_handle(from.session);
  to.set_isolate_session_state(from.isolate_state);
  to.set_master_task(from.master_task);
  if (!from.cluster.empty()) *to.mutable_server_def() = EncodeCluster(from);
  to.set_transport(from.transport);
  to.set_collective_leader(from.collective_leader);
  to.set_collective_nccl(from.collective_nccl);
  to.set_sluice_version(kVersion);
  to.set_master_incarnation(static_cast<int64_t>(from.master));
}

absl::StatusOr<CreateWorkerSession> DecodeSession(
    const std::shared_ptr<proto::CreateWorkerSessionRequest>& from) {
  CreateWorkerSession session{from->session_handle(), from->isolate_session_state(),
                              static_cast<uint64_t>(from->master_incarnation()),
                              from->master_task()};
  SLUICE_RETURN_IF_ERROR(DecodeCluster(from->server_def(), session));
  session.transport = from->transport();
  session.collective_leader = from->collective_leader();
  session.collective_nccl = from->collective_nccl();
  session.from_tensorflow = from->sluice_version().empty();
  return session;
}

// TensorFlow's masters may send a graph without a session, which is refused; ours do not.
void Register(WorkerApi& worker, const RegisterGraph& request, bool has_session,
              const CallOptions& options, Reply<uint64_t> done) {
  if (has_session) return worker.Register(request, options, std::move(done));
  CreateWorkerSession session;
  session.from_tensorflow = true;
  worker.CreateSession(session, options,
                       [done = std::move(done)](absl::Status refused) mutable { done(refused); });
}

absl::StatusOr<uint64_t> DecodeHandle(const proto::RegisterGraphResponse& from) {
  uint64_t handle = 0;
  if (!absl::SimpleAtoi(from.graph_handle(), &handle))
    return Internal("malformed graph handle ", from.graph_handle());
  return handle;
}

absl::StatusOr<std::tuple<std::string, uint64_t>> DecodeDeregister(
    const std::shared_ptr<proto::DeregisterGraphRequest>& from) {
  uint64_t handle = 0;
  if (!absl::SimpleAtoi(from->graph_handle(), &handle))
    return Aborted("unknown graph handle ", from->graph_handle());
  return std::tuple(from->session_handle(), handle);
}

// Errors are in the body too.
struct RunGraphAnswer {
  void Encode(const absl::StatusOr<RunGraphResult>& result, const AnswerForm&,
              Reply<grpc::ByteBuffer>& answer) const {
    answer(EncodeRunGraphResult(result));
  }
  absl::StatusOr<RunGraphResult> Decode(const grpc::ByteBuffer& bytes, const AnswerForm&) const {
    return DecodeRunGraphResult(bytes);
  }
};

// --- The table ---

constexpr RpcCall kGetStatus = {
    "/tensorflow.WorkerService/GetStatus", RpcDuration::kLong, &WorkerApi::GetStatus,
    RequestOf<proto::GetStatusRequest>([](auto&) {}, [](const auto&) { return std::tuple(); }),
    BytesAnswer{EncodeTaskStatus, DecodeTaskStatus}};

constexpr RpcCall kCreateSession = {
    "/tensorflow.WorkerService/CreateWorkerSession", RpcDuration::kLong, &WorkerApi::CreateSession,
    RequestOf<proto::CreateWorkerSessionRequest>(EncodeSession, DecodeSession), EmptyAnswer()};

constexpr RpcCall kDeleteSession = {
    "/tensorflow.WorkerService/DeleteWorkerSession", RpcDuration::kLong, &WorkerApi::DeleteSession,
    RequestOf<proto::DeleteWorkerSessionRequest>(
        [](const std::string& session, auto& to) { to.set_session_handle(session); },
        [](const auto& from) { return from->session_handle(); }),
    EmptyAnswer()};

constexpr RpcCall kRegister = {
    "/tensorflow.WorkerService/RegisterGraph", RpcDuration::kLong, Register,
    RequestOf<proto::RegisterGraphRequest>(
        [](const RegisterGraph& from, auto& to) {
          to.set_session_handle(from.session);
          *to.mutable_graph_def() = *from.graph;
          to.set_create_worker_session_called(true);
          if (!from.debug_urls.empty())
            EncodeDebugUrls(from.debug_urls, to.mutable_debug_options());
        },
        [](const auto& from) {
          return std::tuple(RegisterGraph{from->session_handle(), PartOf(from, from->graph_def()),
                                          DecodeDebugUrls(from->debug_options())},
                            from->create_worker_session_called());
        }),
    AnswerOf<proto::RegisterGraphResponse>(
        [](uint64_t handle, auto& to) { to.set_graph_handle(absl::StrCat(handle)); },
        DecodeHandle)};

constexpr RpcCall kDeregister = {"/tensorflow.WorkerService/DeregisterGraph", RpcDuration::kLong,
                                 &WorkerApi::Deregister,
                                 RequestOf<proto::DeregisterGraphRequest>(
                                     [](const std::string& session, uint64_t graph, auto& to) {
                                       to.set_session_handle(session);
                                       to.set_graph_handle(absl::StrCat(graph));
                                       to.set_create_worker_session_called(true);
                                     },
                                     DecodeDeregister),
                                 EmptyAnswer()};

constexpr RpcCall kRun = {"/tensorflow.WorkerService/RunGraph", RpcDuration::kShort,
                          &WorkerApi::Run,
                          RequestOf<proto::RunGraphRequest>(
                              [](const RunGraph& from, auto& to) { to = EncodeRunGraph(from); },
                              [](const auto& from) { return DecodeRunGraph(*from); }),
                          RunGraphAnswer()};

constexpr RpcCall kClearContainers = {
    "/tensorflow.WorkerService/CleanupAll", RpcDuration::kLong, &WorkerApi::ClearContainers,
    RequestOf<proto::CleanupAllRequest>(
        [](const std::vector<std::string>& containers, auto& to) {
          to.mutable_container()->Assign(containers.begin(), containers.end());
        },
        [](const auto& from) { return Strings(from->container()); }),
    EmptyAnswer()};

class RemoteWorker final : public WorkerApi {
 public:
  RemoteWorker(const PeerAddress& peer, GrpcTarget target, grpc::CompletionQueue* queue)
      : client_(absl::StrCat(peer.task, " at ", peer.address), std::move(target), queue) {}

  void GetStatus(const CallOptions& options, Reply<TaskStatus> done) override {
    Invoke(client_, kGetStatus, options, std::move(done));
  }
  void CreateSession(const CreateWorkerSession& request, const CallOptions& options,
                     Ack done) override {
    Invoke(client_, kCreateSession, options, std::move(done), request);
  }
  void DeleteSession(const std::string& session, const CallOptions& options, Ack done) override {
    Invoke(client_, kDeleteSession, options, std::move(done), session);
  }
  void Register(const RegisterGraph& request, const CallOptions& options,
                Reply<uint64_t> done) override {
    Invoke(client_, kRegister, options, std::move(done), request);
  }
  void Deregister(const std::string& session, uint64_t graph, const CallOptions& options,
                  Ack done) override {
    Invoke(client_, kDeregister, options, std::move(done), session, graph);
  }
  void Run(RunGraph request, const CallOptions& options, Reply<RunGraphResult> done) override {
    Invoke(client_, kRun, options, std::move(done), request);
  }
  void ClearContainers(const std::vector<std::string>& containers, const CallOptions& options,
                       Ack done) override {
    Invoke(client_, kClearContainers, options, std::move(done), containers);
  }

 private:
  UnaryClient client_;
};

}  // namespace

std::vector<RpcMethod> WorkerMethods(WorkerApi* worker) {
  return MethodsOf(worker, kGetStatus, kCreateSession, kDeleteSession, kRegister, kDeregister, kRun,
                   kClearContainers);
}

std::unique_ptr<WorkerApi> CreateRemoteWorker(const PeerAddress& peer, GrpcTarget target,
                                              grpc::CompletionQueue* queue) {
  return std::make_unique<RemoteWorker>(peer, std::move(target), queue);
}

}  // namespace sluice::transport
