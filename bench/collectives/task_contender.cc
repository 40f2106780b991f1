// SPDX-License-Identifier: Apache-2.0
// Sluice: each member process is a task, with a session on its own master. The graph has one
// collective op, whose input is a variable of the task. One run is one whole step.
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "bench/collectives/contender.h"
#include "bench/transport/check.h"
#include "client/graph.h"
#include "client/session.h"
#include "server/server.h"
#include "transport/transport.h"

namespace sluice::bench::collectives {
namespace {

using client::Output;

constexpr int64_t kStepMilliseconds = 120000;

std::unique_ptr<server::Server> StartTask(const MemberOptions& options) {
  server::ServerOptions made;
  const std::string addresses = absl::StrJoin(options.addresses, "\",\"");
  made.cluster = Checked(
      server::ClusterSpec::Parse(absl::StrCat("{\"worker\":[\"", addresses, "\"]}")), "a cluster");
  made.job = "worker";
  made.task = options.rank;
  // Between tasks that count as on different hosts, shared memory is refused.
  made.transport = options.transport == "shm" ? "shm,tcp" : options.transport;
  made.bind_host = "127.0.0.1";
  return Checked(server::Server::Start(made), "starting a task");
}

// A graph with one operation.
class OperationGraph {
 public:
  OperationGraph(const Workload& work, int rank, int key, const std::string& algorithm,
                 std::string device)
      : device_(std::move(device)) {
    const bool receives = work.op == CollectiveOp::kBroadcast && rank != 0;
    std::vector<Output> inputs;
    if (!receives) inputs.push_back(AddVariable(work.input()));
    for (int value : {work.members, /*group_key=*/key, /*instance_key=*/1})
      inputs.push_back(AddConst(Tensor::Scalar<int32_t>(value)));
    AttrMap attrs;
    attrs["communication_hint"] = algorithm;
    if (receives) {
      inputs.push_back(AddConst(Tensor::Vector<int64_t>({work.elements})));
      attrs["T"] = kFloat;
    }
    if (work.op == CollectiveOp::kAllReduce || work.op == CollectiveOp::kReduceScatter) {
      attrs["merge_op"] = std::string("Add");
      attrs["final_op"] = std::string("Id");
    }
    result_ = Add(OpOf(work.op, receives), inputs, std::move(attrs)).node->name();
  }
  const client::Graph& graph() const { return graph_; }
  const std::string& result() const { return result_; }
  const std::string& fed() const { return fed_; }    // empty: this member receives
  const std::string& load() const { return load_; }  // assigns the fed value

 private:
  static const char* OpOf(CollectiveOp op, bool receives) {
    switch (op) {
      case CollectiveOp::kAllReduce:
        return "CollectiveReduceV2";
      case CollectiveOp::kReduceScatter:
        return "CollectiveReduceScatterV2";
      case CollectiveOp::kAllGather:
        return "CollectiveGatherV2";
      case CollectiveOp::kAllToAll:
        return "CollectiveAllToAllV2";
      case CollectiveOp::kBroadcast:
        break;
    }
    return receives ? "CollectiveBcastRecvV2" : "CollectiveBcastSendV2";
  }
  Output Add(const std::string& op, const std::vector<Output>& inputs, AttrMap attrs) {
    return {Checked(graph_.AddNode(op, inputs, std::move(attrs), {.device = device_}), op), 0};
  }
  Output AddConst(Tensor value) {
    AttrMap attrs;
    attrs["dtype"] = value.dtype();
    attrs["value"] = std::move(value);
    return Add("Const", {}, std::move(attrs));
  }
  Output AddVariable(int64_t elements) {
    AttrMap attrs;
    attrs["dtype"] = kFloat;
    const Output value = Add("Placeholder", {}, attrs);
    attrs["shape"] = PartialShape{elements};
    const Output handle = Add("VarHandleOp", {}, attrs);
    fed_ = absl::StrCat(value.node->name(), ":0");
    load_ = Add("AssignVariableOp", {handle, value}, {}).node->name();
    return Add("ReadVariableOp", {handle}, {{"dtype", kFloat}});
  }

  const std::string device_;
  client::Graph graph_;
  std::string result_, fed_, load_;
};

class TaskContender final : public CollectiveContender {
 public:
  explicit TaskContender(const MemberOptions& options)
      : rank_(options.rank), server_(StartTask(options)) {}
  ~TaskContender() override { Unload(); }

  absl::Status Load(const Workload& work, const std::string& algorithm) override {
    Unload();
    work_ = work;
    const std::string task = absl::StrCat("/job:worker/task:", rank_);
    // A group for each operation, because a session's end also ends its groups.
    graph_ = std::make_unique<OperationGraph>(work, rank_, ++groups_, algorithm, task);
    client::SessionOptions options;
    options.server = server_.get();
    options.isolate_session_state = true;
    options.device_filters = {task};
    SLUICE_ASSIGN(session_, client::Session::Create(&graph_->graph(), options));
    if (!graph_->fed().empty()) {
      const std::vector<float> values = InputOf(work, rank_);
      const Tensor input = Tensor::Vector<float>(values);
      SLUICE_RETURN_IF_ERROR(
          session_->Run({{graph_->fed(), input}}, {}, {graph_->load()}).status());
    }
    client::RunOptions run;
    run.timeout_ms = kStepMilliseconds;
    SLUICE_ASSIGN(step_, session_->MakeCallable({}, {}, {graph_->result()}, run));
    SLUICE_ASSIGN(fetch_, session_->MakeCallable({}, {graph_->result() + ":0"}, {}, run));
    return absl::OkStatus();
  }

  void Run() override { Checked(session_->RunCallable(step_, {}, TimeLimit()), "a step"); }

  std::string RunAndCheck() override {
    const auto fetched =
        Checked(session_->RunCallable(fetch_, {}, TimeLimit()), "a step that fetches");
    return FirstError(work_, rank_, fetched[0].flat<float>());
  }

  void Unload() override {
    if (session_ != nullptr) session_->Close().IgnoreError();
    session_.reset();
    graph_.reset();
  }

 private:
  static client::RunOptions TimeLimit() {
    client::RunOptions options;
    options.timeout_ms = kStepMilliseconds;
    return options;
  }

  const int rank_;
  const std::unique_ptr<server::Server> server_;
  int groups_ = 0;
  Workload work_;
  std::unique_ptr<OperationGraph> graph_;
  std::unique_ptr<client::Session> session_;
  int64_t step_ = 0, fetch_ = 0;
};

}  // namespace

std::unique_ptr<CollectiveContender> CreateTaskContender(const MemberOptions& options) {
  const int host = options.rank * options.hosts / options.members;
  if (options.hosts > 1) transport::SetHostName(absl::StrCat("bench", host));
  return std::make_unique<TaskContender>(options);
}

}  // namespace sluice::bench::collectives
