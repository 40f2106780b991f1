// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/worker_codec.h"

#include <grpcpp/support/byte_buffer.h>

#include "absl/strings/numbers.h"
#include "core/codec/codec.h"
#include "core/device_name.h"
#include "proto/server.pb.h"
#include "proto/worker.pb.h"
#include "transport/grpc/protobuf_wire.h"
#include "transport/rpc/codec.h"
#include "transport/rpc/kernel_lists.h"
#include "transport/tensorflow_server.h"

namespace sluice::transport {

namespace {

using Text = std::shared_ptr<const std::string>;

grpc::Slice SliceOf(Text text) {
  auto* const kept = new Text(std::move(text));
  return {const_cast<char*>((*kept)->data()), (*kept)->size(),
          [](void* kept) { delete static_cast<Text*>(kept); }, kept};
}

// The encoded fields of a GetStatusResponse: `kernel`, and the rest.
struct TaskStatusParts {
  std::string kernels, rest;
};

absl::StatusOr<TaskStatusParts> SplitTaskStatus(const grpc::ByteBuffer& bytes) {
  grpc::Slice all;
  if (!bytes.Valid() || !bytes.DumpToSingleSlice(&all).ok())
    return absl::InternalError("gRPC cannot join the pieces of a message");
  const absl::string_view text(reinterpret_cast<const char*>(all.begin()), all.size());
  PieceReader reader({text});
  TaskStatusParts parts;
  while (reader.left() > 0) {
    const size_t begin = text.size() - reader.left();
    uint32_t field = 0, type = 0;
    SLUICE_RETURN_IF_ERROR(reader.Tag(&field, &type));
    SLUICE_RETURN_IF_ERROR(reader.SkipField(type));
    const absl::string_view one = text.substr(begin, text.size() - reader.left() - begin);
    absl::StrAppend(
        field == proto::GetStatusResponse::kKernelFieldNumber ? &parts.kernels : &parts.rest, one);
  }
  return parts;
}

}  // namespace

grpc::ByteBuffer EncodeTaskStatus(const TaskStatus& status) {
  proto::GetStatusResponse response;
  response.set_task(status.task);
  response.set_version(status.version);
  response.set_no_gpu(status.no_gpu);
  for (const std::string& line : status.waiting) response.add_waiting(line);
  for (const DeviceAttributes& device : status.devices)
    EncodeDevice(device, response.add_device_attributes());
  const std::string rest = response.SerializeAsString();
  const grpc::Slice slices[] = {grpc::Slice(rest), SliceOf(EncodeKernels(status.kernels))};
  return {slices, 2};
}

absl::StatusOr<TaskStatus> DecodeTaskStatus(const grpc::ByteBuffer& bytes) {
  SLUICE_ASSIGN(auto parts, SplitTaskStatus(bytes));
  proto::GetStatusResponse response;
  if (!response.ParseFromString(parts.rest)) return InvalidArgument("malformed status of a task");
  if (response.task().empty()) {
    const absl::Status status = FailedPrecondition("the server there is not a Sluice server");
    return response.device_attributes_size() > 0 ? MarkTensorFlowServer(status) : status;
  }
  if (response.device_attributes_size() == 0)
    return InvalidArgument("task ", response.task(), " says it has no device");
  TaskStatus status;
  status.task = response.task();
  status.version = response.version();
  status.no_gpu = response.no_gpu();
  status.waiting.assign(response.waiting().begin(), response.waiting().end());
  for (const auto& proto : response.device_attributes())
    status.devices.push_back(DecodeDevice(proto));
  SLUICE_ASSIGN(status.kernels, DecodeKernels(std::move(parts.kernels)));
  return status;
}

proto::ServerDef EncodeCluster(const CreateWorkerSession& request) {
  proto::ServerDef server;
  const auto place = [](const std::string& task) {
    auto name = DeviceName::Parse(task);
    return name.ok() ? *std::move(name) : DeviceName();
  };
  const DeviceName own = place(request.task);
  server.set_job_name(own.job.value_or(""));
  server.set_task_index(own.task.value_or(0));
  server.set_protocol("grpc");
  for (const auto& [task, address] : request.cluster) {
    const DeviceName name = place(task);
    proto::JobDef* job = nullptr;
    for (proto::JobDef& known : *server.mutable_cluster()->mutable_job()) {
      if (known.name() == name.job) job = &known;
    }
    if (job == nullptr) {
      job = server.mutable_cluster()->add_job();
      job->set_name(name.job.value_or(""));
    }
    (*job->mutable_tasks())[name.task.value_or(0)] = address;
  }
  return server;
}

absl::Status DecodeCluster(const proto::ServerDef& proto, CreateWorkerSession& request) {
  for (const proto::JobDef& job : proto.cluster().job()) {
    for (const auto& [index, address] : job.tasks()) {
      const std::string task = absl::StrCat("/job:", job.name(), "/replica:0/task:", index);
      SLUICE_RETURN_IF_ERROR(DeviceName::Parse(task).status());
      request.cluster.emplace_back(task, address);
    }
  }
  if (!request.cluster.empty())
    request.task = absl::StrCat("/job:", proto.job_name(), "/replica:0/task:", proto.task_index());
  return absl::OkStatus();
}

proto::RunGraphRequest EncodeRunGraph(const RunGraph& request) {
  proto::RunGraphRequest proto;
  proto.set_session_handle(request.session);
  proto.set_graph_handle(absl::StrCat(request.graph));
  proto.set_step_id(static_cast<int64_t>(request.step.number));
  proto.set_master(request.step.master);
  proto.set_oldest_live_step(request.oldest_live_step);
  proto.mutable_exec_opts()->set_record_timeline(request.trace);
  return proto;
}

absl::StatusOr<RunGraph> DecodeRunGraph(const proto::RunGraphRequest& proto) {
  RunGraph request;
  request.session = proto.session_handle();
  if (!absl::SimpleAtoi(proto.graph_handle(), &request.graph)) {
    return Aborted("graph handle \"", proto.graph_handle(), "\" is not known here");
  }
  if (proto.send_size() > 0 || proto.recv_key_size() > 0 || proto.is_partial()) {
    return Unimplemented(
        "RunGraph with send, recv_key or is_partial: this worker serves Sluice masters");
  }
  request.step = {proto.master(), static_cast<uint64_t>(proto.step_id())};
  request.oldest_live_step = proto.oldest_live_step();
  request.trace = proto.exec_opts().record_timeline();
  return request;
}

grpc::ByteBuffer EncodeRunGraphResult(const absl::StatusOr<RunGraphResult>& result) {
  proto::RunGraphResponse response;
  if (!result.ok()) {
    response.set_status_code(static_cast<proto::error::Code>(result.status().code()));
    response.set_status_error_message(std::string(result.status().message()));
    if (IsDerived(result.status())) response.set_derived(true);
  } else if (result->stats != nullptr) {
    *response.mutable_step_stats() = *result->stats;
  }
  return Serialize(response);
}

absl::StatusOr<RunGraphResult> DecodeRunGraphResult(const grpc::ByteBuffer& bytes) {
  proto::RunGraphResponse response;
  SLUICE_RETURN_IF_ERROR(Parse(bytes, &response));
  if (response.status_code() != proto::error::OK) {
    absl::Status status(static_cast<absl::StatusCode>(response.status_code()),
                        response.status_error_message());
    return response.derived() ? MarkDerived(std::move(status)) : status;
  }
  RunGraphResult result;
  if (response.has_step_stats())
    result.stats = std::make_shared<proto::StepStats>(std::move(*response.mutable_step_stats()));
  return result;
}

}  // namespace sluice::transport
