// SPDX-License-Identifier: Apache-2.0
#include "transport/rpc/pipelines_calls.h"

#include <grpcpp/completion_queue.h>
#include <grpcpp/support/byte_buffer.h>

#include "proto/pipelines.pb.h"
#include "transport/grpc/event_loop.h"
#include "transport/rpc/call.h"

namespace sluice::transport {
namespace {

void EncodeStage(const StageReport& stage, proto::DataSetStage& to) {
  to.set_node(stage.node);
  to.set_op(stage.op);
  to.set_reader(stage.reader);
  to.set_elements(stage.elements);
  to.set_waited_us(stage.waited_us);
  to.set_lines(stage.lines);
  to.set_workers(stage.workers);
  to.set_reading_us(stage.reading_us);
  to.set_making_us(stage.making_us);
  to.set_no_room_us(stage.no_room_us);
}

StageReport DecodeStage(const proto::DataSetStage& from) {
  StageReport stage;
  stage.node = from.node();
  stage.op = from.op();
  stage.reader = from.reader();
  stage.elements = from.elements();
  stage.waited_us = from.waited_us();
  stage.lines = from.lines();
  stage.workers = from.workers();
  stage.reading_us = from.reading_us();
  stage.making_us = from.making_us();
  stage.no_room_us = from.no_room_us();
  return stage;
}

void EncodePipelines(const std::vector<PipelineReport>& pipelines,
                     proto::ListPipelinesResponse& to) {
  for (const PipelineReport& one : pipelines) {
    auto* encoded = to.add_pipeline();
    encoded->set_iterator(one.iterator);
    encoded->set_device(one.device);
    encoded->set_session(one.session);
    encoded->set_age_us(one.age_us);
    for (const StageReport& stage : one.stages) EncodeStage(stage, *encoded->add_stage());
  }
}

// INVALID_ARGUMENT unless each stage stands after its reader.
absl::StatusOr<std::vector<PipelineReport>> DecodePipelines(
    const proto::ListPipelinesResponse& from) {
  std::vector<PipelineReport> pipelines;
  for (const auto& one : from.pipeline()) {
    PipelineReport& report = pipelines.emplace_back();
    report.iterator = one.iterator();
    report.device = one.device();
    report.session = one.session();
    report.age_us = one.age_us();
    for (const proto::DataSetStage& stage : one.stage()) {
      if (stage.reader() < -1 || stage.reader() >= static_cast<int64_t>(report.stages.size()))
        return InvalidArgument("stage ", report.stages.size(), " is read by ", stage.reader());
      report.stages.push_back(DecodeStage(stage));
    }
  }
  return pipelines;
}

// --- The table ---

constexpr RpcCall kListPipelines = {
    "/sluice.Pipelines/List", RpcDuration::kLong, &PipelinesApi::ListPipelines,
    RequestOf<proto::ListPipelinesRequest>([](auto&) {}, [](const auto&) { return std::tuple(); }),
    AnswerOf<proto::ListPipelinesResponse>(EncodePipelines, DecodePipelines)};

class RemotePipelines final : public PipelinesApi {
 public:
  RemotePipelines(const std::string& who, GrpcTarget target)
      : loop_(std::make_shared<EventLoop>(1)), client_(who, std::move(target), loop_->queue()) {}

  void ListPipelines(const CallOptions& options, Reply<std::vector<PipelineReport>> done) override {
    Invoke(client_, kListPipelines, options, std::move(done));
  }

 private:
  const std::shared_ptr<EventLoop> loop_;
  UnaryClient client_;
};

}  // namespace

std::vector<RpcMethod> PipelinesMethods(PipelinesApi* pipelines) {
  return MethodsOf(pipelines, kListPipelines);
}

std::unique_ptr<PipelinesApi> CreateRemotePipelines(const std::string& who, GrpcTarget target) {
  return std::make_unique<RemotePipelines>(who, std::move(target));
}

}  // namespace sluice::transport
