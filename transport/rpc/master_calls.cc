// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/master_calls.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include "core/codec/codec.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/master.pb.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/call.h"

namespace sluice::transport {
namespace {

using Bytes = absl::StatusOr<grpc::ByteBuffer>;

struct RunStepCodec {
  Bytes Encode(AnswerForm& form, const RunStepRequest& request) const {
    form.fetches = request.fetches;
    return EncodeRunStep(request);
  }
  absl::StatusOr<std::tuple<RunStepRequest>> Decode(const grpc::ByteBuffer& bytes,
                                                    const RepeatedRequest& repeated,
                                                    AnswerForm& form) const {
    SLUICE_ASSIGN(RunStepCall call, DecodeRunStep(bytes));
    SLUICE_RETURN_IF_ERROR(CheckFirst(repeated, call.request_id));
    form = {call.request.fetches, call.errors_in_body};
    return std::tuple(std::move(call.request));
  }
};

struct RunStepAnswer {
  void Encode(const absl::StatusOr<RunStepResult>& result, const AnswerForm& form,
              Reply<grpc::ByteBuffer>& answer) const {
    if (result.ok())
      answer(EncodeRunStepResult(form.fetches, *result));
    else if (form.errors_in_body)
      answer(EncodeRunStepError(result.status()));
    else
      answer(result.status());
  }
  absl::StatusOr<RunStepResult> Decode(const grpc::ByteBuffer& bytes,
                                       const AnswerForm& form) const {
    return DecodeRunStepResult(bytes, form.fetches);
  }
};

struct RunCallableCodec {
  Bytes Encode(AnswerForm&, const RunCallableRequest& request) const {
    return EncodeRunCallable(request);
  }
  absl::StatusOr<std::tuple<RunCallableRequest>> Decode(const grpc::ByteBuffer& bytes,
                                                        const RepeatedRequest& repeated,
                                                        AnswerForm&) const {
    SLUICE_ASSIGN(RunCallableCall call, DecodeRunCallable(bytes));
    SLUICE_RETURN_IF_ERROR(CheckFirst(repeated, call.request_id));
    return std::tuple(std::move(call.request));
  }
};

void EncodeCallable(const MakeCallableRequest& from, proto::MakeCallableRequest& to) {
  to.set_session_handle(from.session);
  proto::CallableOptions& callable = *to.mutable_options();
  for (const std::string& feed : from.feeds) callable.add_feed(feed);
  for (const std::string& fetch : from.fetches) callable.add_fetch(fetch);
  for (const std::string& target : from.targets) callable.add_target(target);
  for (const auto& [source, sink] : from.tensor_connections) {
    auto* connection = callable.add_tensor_connection();
    connection->set_from_tensor(source);
    connection->set_to_tensor(sink);
  }
  callable.mutable_run_options()->set_timeout_in_ms(from.options.timeout_ms);
}

absl::StatusOr<MakeCallableRequest> DecodeCallable(
    const std::shared_ptr<proto::MakeCallableRequest>& from) {
  MakeCallableRequest request;
  const proto::CallableOptions& options = from->options();
  request.session = from->session_handle();
  request.feeds = Strings(options.feed());
  request.fetches = Strings(options.fetch());
  request.targets = Strings(options.target());
  for (const auto& connection : options.tensor_connection()) {
    request.tensor_connections.emplace_back(connection.from_tensor(), connection.to_tensor());
  }
  SLUICE_ASSIGN(request.options, DecodeRunOptions(options.run_options()));
  request.has_feed_or_fetch_devices =
      options.feed_devices_size() > 0 || options.fetch_devices_size() > 0;
  return request;
}

ListDevicesResult DecodeDevices(const proto::ListDevicesResponse& from) {
  ListDevicesResult result;
  for (const auto& device : from.local_device()) result.local.push_back(DecodeDevice(device));
  for (const auto& device : from.remote_device()) result.remote.push_back(DecodeDevice(device));
  return result;
}

// --- The table ---

constexpr RpcCall kCreateSession = {
    "/tensorflow.MasterService/CreateSession", RpcDuration::kLong, &MasterApi::CreateSession,
    RequestOf<proto::CreateSessionRequest>(
        [](const CreateSessionRequest& from, auto& to) {
          *to.mutable_graph_def() = *from.graph;
          if (from.config != nullptr) *to.mutable_config() = *from.config;
          to.set_target(from.target);
        },
        [](const auto& from) {
          return CreateSessionRequest{PartOf(from, from->graph_def()), PartOf(from, from->config()),
                                      from->target()};
        }),
    AnswerOf<proto::CreateSessionResponse>(
        [](const CreateSessionResult& from, auto& to) {
          to.set_session_handle(from.session);
          to.set_graph_version(from.graph_version);
        },
        [](const auto& from) {
          return CreateSessionResult{from.session_handle(), from.graph_version()};
        })};

constexpr RpcCall kExtendSession = {
    "/tensorflow.MasterService/ExtendSession", RpcDuration::kLong, &MasterApi::ExtendSession,
    RequestOf<proto::ExtendSessionRequest>(
        [](const ExtendSessionRequest& from, auto& to) {
          to.set_session_handle(from.session);
          *to.mutable_graph_def() = *from.graph;
          to.set_current_graph_version(from.graph_version);
        },
        [](const auto& from) {
          return ExtendSessionRequest{from->session_handle(), PartOf(from, from->graph_def()),
                                      from->current_graph_version()};
        }),
    AnswerOf<proto::ExtendSessionResponse>(
        [](int64_t version, auto& to) { to.set_new_graph_version(version); },
        [](const auto& from) -> int64_t { return from.new_graph_version(); })};

constexpr RpcCall kRunStep = {"/tensorflow.MasterService/RunStep", RpcDuration::kShort,
                              &MasterApi::RunStep, RunStepCodec(), RunStepAnswer()};

constexpr RpcCall kSetUpPartialRun = {
    "/tensorflow.MasterService/PartialRunSetup", RpcDuration::kLong, &MasterApi::SetUpPartialRun,
    RequestOf<proto::PartialRunSetupRequest>(
        [](const PartialRunRequest& from, auto& to) {
          to.set_session_handle(from.session);
          for (const std::string& feed : from.feeds) to.add_feed(feed);
          for (const std::string& fetch : from.fetches) to.add_fetch(fetch);
          for (const std::string& target : from.targets) to.add_target(target);
        },
        [](const auto& from) {
          return PartialRunRequest{from->session_handle(), Strings(from->feed()),
                                   Strings(from->fetch()), Strings(from->target())};
        }),
    AnswerOf<proto::PartialRunSetupResponse>(
        [](const std::string& handle, auto& to) { to.set_partial_run_handle(handle); },
        [](const auto& from) { return from.partial_run_handle(); })};

constexpr RpcCall kCloseSession = {
    "/tensorflow.MasterService/CloseSession", RpcDuration::kLong, &MasterApi::CloseSession,
    RequestOf<proto::CloseSessionRequest>(
        [](const std::string& session, auto& to) { to.set_session_handle(session); },
        [](const auto& from) { return from->session_handle(); }),
    EmptyAnswer()};

constexpr RpcCall kListDevices = {
    "/tensorflow.MasterService/ListDevices", RpcDuration::kLong, &MasterApi::ListDevices,
    RequestOf<proto::ListDevicesRequest>(
        [](const std::string& session, auto& to) { to.set_session_handle(session); },
        [](const auto& from) { return from->session_handle(); }),
    AnswerOf<proto::ListDevicesResponse>(
        [](const ListDevicesResult& from, auto& to) {
          for (const auto& device : from.local) EncodeDevice(device, to.add_local_device());
          for (const auto& device : from.remote) EncodeDevice(device, to.add_remote_device());
        },
        DecodeDevices)};

constexpr RpcCall kReset = {
    "/tensorflow.MasterService/Reset", RpcDuration::kLong, &MasterApi::Reset,
    RequestOf<proto::ResetRequest>(
        [](const auto& containers, const auto& device_filters, auto& to) {
          for (const std::string& container : containers) to.add_container(container);
          for (const std::string& filter : device_filters) to.add_device_filters(filter);
        },
        [](const auto& from) {
          return std::tuple(Strings(from->container()), Strings(from->device_filters()));
        }),
    EmptyAnswer()};

constexpr RpcCall kMakeCallable = {
    "/tensorflow.MasterService/MakeCallable", RpcDuration::kLong, &MasterApi::MakeCallable,
    RequestOf<proto::MakeCallableRequest>(EncodeCallable, DecodeCallable),
    AnswerOf<proto::MakeCallableResponse>(
        [](int64_t handle, auto& to) { to.set_handle(handle); },
        [](const auto& from) -> int64_t { return from.handle(); })};

constexpr RpcCall kRunCallable = {"/tensorflow.MasterService/RunCallable", RpcDuration::kShort,
                                  &MasterApi::RunCallable, RunCallableCodec(),
                                  BytesAnswer{EncodeRunCallableResult, DecodeRunCallableResult}};

constexpr RpcCall kReleaseCallable = {
    "/tensorflow.MasterService/ReleaseCallable", RpcDuration::kLong, &MasterApi::ReleaseCallable,
    RequestOf<proto::ReleaseCallableRequest>(
        [](const std::string& session, int64_t callable, auto& to) {
          to.set_session_handle(session);
          to.set_handle(callable);
        },
        [](const auto& from) {
          return std::tuple(from->session_handle(), int64_t{from->handle()});
        }),
    EmptyAnswer()};

class RemoteMaster final : public MasterApi {
 public:
  RemoteMaster(const std::string& address, GrpcTarget target)
      : loop_(2),
        client_(absl::StrCat("the master at ", address), std::move(target), loop_.queue()) {}

  void CreateSession(CreateSessionRequest request, const CallOptions& options,
                     Reply<CreateSessionResult> done) override {
    Invoke(client_, kCreateSession, options, std::move(done), request);
  }
  void ExtendSession(ExtendSessionRequest request, const CallOptions& options,
                     Reply<int64_t> done) override {
    Invoke(client_, kExtendSession, options, std::move(done), request);
  }
  void RunStep(RunStepRequest request, const CallOptions& options,
               Reply<RunStepResult> done) override {
    Invoke(client_, kRunStep, options, std::move(done), request);
  }
  void SetUpPartialRun(PartialRunRequest request, const CallOptions& options,
                       Reply<std::string> done) override {
    Invoke(client_, kSetUpPartialRun, options, std::move(done), request);
  }
  void CloseSession(const std::string& session, const CallOptions& options, Ack done) override {
    Invoke(client_, kCloseSession, options, std::move(done), session);
  }
  void ListDevices(const std::string& session, const CallOptions& options,
                   Reply<ListDevicesResult> done) override {
    Invoke(client_, kListDevices, options, std::move(done), session);
  }
  void Reset(const std::vector<std::string>& containers,
             const std::vector<std::string>& device_filters, const CallOptions& options,
             Ack done) override {
    Invoke(client_, kReset, options, std::move(done), containers, device_filters);
  }
  void MakeCallable(MakeCallableRequest request, const CallOptions& options,
                    Reply<int64_t> done) override {
    Invoke(client_, kMakeCallable, options, std::move(done), request);
  }
  void RunCallable(RunCallableRequest request, const CallOptions& options,
                   Reply<RunStepResult> done) override {
    Invoke(client_, kRunCallable, options, std::move(done), request);
  }
  void ReleaseCallable(const std::string& session, int64_t callable, const CallOptions& options,
                       Ack done) override {
    Invoke(client_, kReleaseCallable, options, std::move(done), session, callable);
  }

 private:
  EventLoop loop_;  // outlives the client's calls
  UnaryClient client_;
};

}  // namespace

std::vector<RpcMethod> MasterMethods(MasterApi* master) {
  return MethodsOf(master, kCreateSession, kExtendSession, kRunStep, kSetUpPartialRun,
                   kCloseSession, kListDevices, kReset, kMakeCallable, kRunCallable,
                   kReleaseCallable);
}

std::unique_ptr<MasterApi> CreateRemoteMaster(const std::string& address, GrpcTarget target) {
  return std::make_unique<RemoteMaster>(address, std::move(target));
}

}  // namespace sluice::transport
