#include "transport/rpc/methods.h"

#include <grpcpp/support/byte_buffer.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "core/codec/codec.h"
#include "proto/config.pb.h"
#include "proto/graph.pb.h"
#include "proto/master.pb.h"
#include "proto/server.pb.h"
#include "proto/worker.pb.h"
#include "transport/debug_options.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/codec.h"
#include "transport/rpc/remote_handshake.h"
#include "transport/rpc/worker_codec.h"

namespace sluice::transport {
namespace {

// A method in three lines: parses the request into `Request`, then calls `body(request, options,
// answer)`.
template <typename Request, typename Body>
auto Parsed(Body body) {
  return [body](const grpc::ByteBuffer& bytes, const CallOptions& options, Methods::Answer answer) {
    auto request = std::make_shared<Request>();
    if (absl::Status status = Parse(bytes, request.get()); !status.ok())
      return answer(std::move(status));
    body(std::move(request), options, std::move(answer));
  };
}

// An answer without fields.
Ack Empty(Methods::Answer answer) {
  return [answer = std::move(answer)](absl::Status status) mutable {
    if (status.ok())
      answer(grpc::ByteBuffer(nullptr, 0));
    else
      answer(std::move(status));
  };
}

// An answer made of the result by `encode`.
template <typename T, typename Encode>
Reply<T> Encoded(Methods::Answer answer, Encode encode) {
  return [answer = std::move(answer), encode](absl::StatusOr<T> result) mutable {
    if (result.ok())
      answer(encode(*result));
    else
      answer(result.status());
  };
}

// Part of a request, without copying it: the request lives as long.
template <typename T, typename Request>
std::shared_ptr<const T> PartOf(std::shared_ptr<Request> request, const T& part) {
  return std::shared_ptr<const T>(std::move(request), &part);
}

template <typename Repeated>
std::vector<std::string> Strings(const Repeated& field) {
  return {field.begin(), field.end()};
}

absl::StatusOr<MakeCallableRequest> CallableOf(const proto::MakeCallableRequest& proto) {
  MakeCallableRequest request;
  const proto::CallableOptions& options = proto.options();
  request.session = proto.session_handle();
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

// TensorFlow's masters may send a graph without a session; ours do not.
void RefuseTensorFlow(WorkerApi& worker, const CallOptions& options, Methods::Answer answer) {
  CreateWorkerSession session;
  session.from_tensorflow = true;
  worker.CreateSession(session, options, Empty(std::move(answer)));
}

absl::Status Duplicate(int64_t id) { return Aborted("request ", id, " has been seen before"); }

}  // namespace

Methods::Methods(MasterApi* master, WorkerApi* worker, HandshakeApi* handshake, Repeated repeated)
    : master_(master), worker_(worker), repeated_(std::move(repeated)) {
  AddMasterMethods();
  AddWorkerMethods();
  if (handshake != nullptr) AddTransportMethods(handshake);
}

void Methods::Handle(const std::string& path, const grpc::ByteBuffer& request,
                     const CallOptions& options, Answer answer) const {
  auto it = methods_.find(path);
  if (it == methods_.end())
    return answer(Unimplemented("method ", path, " is not supported by this server"));
  // Only steps are as short as they are many.
  if (absl::StrContains(path, "Service/Run"))
    EventLoop::StepAsideFor(request.Length());
  else
    EventLoop::StepAside();
  it->second(request, options, std::move(answer));
}

void Methods::AddMasterMethods() {
  MasterApi* const master = master_;
  const auto add = [this](const char* name, Method method) {
    methods_[absl::StrCat("/tensorflow.MasterService/", name)] = std::move(method);
  };

  add("CreateSession",
      Parsed<proto::CreateSessionRequest>([master](auto request, const CallOptions& options,
                                                   Answer answer) {
        const proto::CreateSessionRequest& proto = *request;
        master->CreateSession(
            {PartOf(request, proto.graph_def()), PartOf(request, proto.config()), proto.target()},
            options,
            Encoded<CreateSessionResult>(std::move(answer), [](const CreateSessionResult& result) {
              proto::CreateSessionResponse response;
              response.set_session_handle(result.session);
              response.set_graph_version(result.graph_version);
              return Serialize(response);
            }));
      }));
  add("ExtendSession", Parsed<proto::ExtendSessionRequest>(
                           [master](auto request, const CallOptions& options, Answer answer) {
                             const proto::ExtendSessionRequest& proto = *request;
                             master->ExtendSession(
                                 {proto.session_handle(), PartOf(request, proto.graph_def()),
                                  proto.current_graph_version()},
                                 options, Encoded<int64_t>(std::move(answer), [](int64_t version) {
                                   proto::ExtendSessionResponse response;
                                   response.set_new_graph_version(version);
                                   return Serialize(response);
                                 }));
                           }));
  add("RunStep", [this, master](const grpc::ByteBuffer& bytes, const CallOptions& options,
                                Answer answer) {
    auto call = DecodeRunStep(bytes);
    if (!call.ok()) return answer(call.status());
    if (repeated_(call->request_id)) return answer(Duplicate(call->request_id));
    auto names = call->request.fetches;
    master->RunStep(std::move(call->request), options,
                    [answer = std::move(answer), names = std::move(names),
                     in_body = call->errors_in_body](absl::StatusOr<RunStepResult> result) mutable {
                      if (result.ok())
                        answer(EncodeRunStepResult(names, *result));
                      else if (in_body)
                        answer(EncodeRunStepError(result.status()));
                      else
                        answer(result.status());
                    });
  });
  add("CloseSession", Parsed<proto::CloseSessionRequest>(
                          [master](auto request, const CallOptions& options, Answer answer) {
                            master->CloseSession(request->session_handle(), options,
                                                 Empty(std::move(answer)));
                          }));
  add("ListDevices",
      Parsed<proto::ListDevicesRequest>(
          [master](auto request, const CallOptions& options, Answer answer) {
            master->ListDevices(
                request->session_handle(), options,
                Encoded<ListDevicesResult>(std::move(answer), [](const ListDevicesResult& result) {
                  proto::ListDevicesResponse response;
                  for (const auto& device : result.local)
                    EncodeDevice(device, response.add_local_device());
                  for (const auto& device : result.remote)
                    EncodeDevice(device, response.add_remote_device());
                  return Serialize(response);
                }));
          }));
  add("Reset", Parsed<proto::ResetRequest>([master](auto request, const CallOptions& options,
                                                    Answer answer) {
        master->Reset(Strings(request->container()), Strings(request->device_filters()), options,
                      Empty(std::move(answer)));
      }));
  add("MakeCallable", Parsed<proto::MakeCallableRequest>(
                          [this, master](auto request, const CallOptions& options, Answer answer) {
                            if (repeated_(request->request_id()))
                              return answer(Duplicate(request->request_id()));
                            auto callable = CallableOf(*request);
                            if (!callable.ok()) return answer(callable.status());
                            master->MakeCallable(
                                *std::move(callable), options,
                                Encoded<int64_t>(std::move(answer), [](int64_t handle) {
                                  proto::MakeCallableResponse response;
                                  response.set_handle(handle);
                                  return Serialize(response);
                                }));
                          }));
  add("RunCallable", [this, master](const grpc::ByteBuffer& bytes, const CallOptions& options,
                                    Answer answer) {
    auto call = DecodeRunCallable(bytes);
    if (!call.ok()) return answer(call.status());
    if (repeated_(call->request_id)) return answer(Duplicate(call->request_id));
    master->RunCallable(std::move(call->request), options,
                        Encoded<RunStepResult>(std::move(answer), [](const RunStepResult& result) {
                          return EncodeRunCallableResult(result);
                        }));
  });
  add("ReleaseCallable", Parsed<proto::ReleaseCallableRequest>(
                             [master](auto request, const CallOptions& options, Answer answer) {
                               master->ReleaseCallable(request->session_handle(), request->handle(),
                                                       options, Empty(std::move(answer)));
                             }));
  add("PartialRunSetup",
      Parsed<proto::PartialRunSetupRequest>([this, master](auto request, const CallOptions& options,
                                                           Answer answer) {
        if (repeated_(request->request_id())) return answer(Duplicate(request->request_id()));
        master->SetUpPartialRun({request->session_handle(), Strings(request->feed()),
                                 Strings(request->fetch()), Strings(request->target())},
                                options, Encoded<std::string>(std::move(answer), [](auto handle) {
                                  proto::PartialRunSetupResponse response;
                                  response.set_partial_run_handle(handle);
                                  return Serialize(response);
                                }));
      }));
}

void Methods::AddWorkerMethods() {
  WorkerApi* const worker = worker_;
  const auto add = [this](const char* name, Method method) {
    methods_[absl::StrCat("/tensorflow.WorkerService/", name)] = std::move(method);
  };

  add("GetStatus",
      Parsed<proto::GetStatusRequest>([worker](auto, const CallOptions& options, Answer answer) {
        worker->GetStatus(options,
                          Encoded<TaskStatus>(std::move(answer), [](const TaskStatus& status) {
                            return EncodeTaskStatus(status);
                          }));
      }));
  add("CreateWorkerSession",
      Parsed<proto::CreateWorkerSessionRequest>(
          [worker](auto request, const CallOptions& options, Answer answer) {
            CreateWorkerSession session{request->session_handle(), request->isolate_session_state(),
                                        static_cast<uint64_t>(request->master_incarnation()),
                                        request->master_task()};
            if (absl::Status status = DecodeCluster(request->server_def(), session); !status.ok())
              return answer(std::move(status));
            session.transport = request->transport();
            session.from_tensorflow = request->sluice_version().empty();
            worker->CreateSession(session, options, Empty(std::move(answer)));
          }));
  add("DeleteWorkerSession", Parsed<proto::DeleteWorkerSessionRequest>(
                                 [worker](auto request, const CallOptions& options, Answer answer) {
                                   worker->DeleteSession(request->session_handle(), options,
                                                         Empty(std::move(answer)));
                                 }));
  add("RegisterGraph", Parsed<proto::RegisterGraphRequest>(
                           [worker](auto request, const CallOptions& options, Answer answer) {
                             const proto::RegisterGraphRequest& proto = *request;
                             if (!proto.create_worker_session_called())
                               return RefuseTensorFlow(*worker, options, std::move(answer));
                             worker->Register(
                                 {proto.session_handle(), PartOf(request, proto.graph_def()),
                                  DecodeDebugUrls(proto.debug_options())},
                                 options, Encoded<uint64_t>(std::move(answer), [](uint64_t handle) {
                                   proto::RegisterGraphResponse response;
                                   response.set_graph_handle(absl::StrCat(handle));
                                   return Serialize(response);
                                 }));
                           }));
  add("DeregisterGraph",
      Parsed<proto::DeregisterGraphRequest>([worker](auto request, const CallOptions& options,
                                                     Answer answer) {
        uint64_t handle = 0;
        if (!absl::SimpleAtoi(request->graph_handle(), &handle))
          return answer(Aborted("unknown graph handle ", request->graph_handle()));
        worker->Deregister(request->session_handle(), handle, options, Empty(std::move(answer)));
      }));
  add("RunGraph",
      [this, worker](const grpc::ByteBuffer& bytes, const CallOptions& options, Answer answer) {
        proto::RunGraphRequest proto;
        if (absl::Status status = Parse(bytes, &proto); !status.ok())
          return answer(std::move(status));
        if (repeated_(proto.request_id())) return answer(Duplicate(proto.request_id()));
        auto request = DecodeRunGraph(proto);
        if (!request.ok()) return answer(request.status());
        worker->Run(*std::move(request), options,
                    [answer = std::move(answer)](absl::StatusOr<RunGraphResult> result) mutable {
                      answer(EncodeRunGraphResult(result));
                    });
      });
  add("CleanupAll", Parsed<proto::CleanupAllRequest>(
                        [worker](auto request, const CallOptions& options, Answer answer) {
                          worker->ClearContainers(Strings(request->container()), options,
                                                  Empty(std::move(answer)));
                        }));
}

void Methods::AddTransportMethods(HandshakeApi* handshake) {
  methods_[kHandshakeMethod] = [handshake](const grpc::ByteBuffer& request,
                                           const CallOptions& options, Answer answer) {
    AnswerHandshake(*handshake, request, options, std::move(answer));
  };
  methods_[kListTransportsMethod] = [handshake](const grpc::ByteBuffer& request,
                                                const CallOptions& options, Answer answer) {
    AnswerListTransports(*handshake, request, options, std::move(answer));
  };
}

}  // namespace sluice::transport
