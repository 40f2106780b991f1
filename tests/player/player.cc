// SPDX-License-Identifier: Apache-2.0
#include "tests/player/player.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "client/session.h"
#include "core/codec/codec.h"
#include "kernels/register.h"
#include "proto/config.pb.h"
#include "tests/player/answers.h"
#include "tests/player/recorded_cases.pb.h"

namespace sluice::player {
namespace {

constexpr int64_t kTimeoutMs = 60'000;

// Ops whose kernels for GPUs do not report bad values, as in TensorFlow: the host does not see
// them. A gather out of range gives 0, a scatter leaves the row out, a label gives NaN, a quotient
// by 0 of integers is not defined.
bool IgnoresValuesOnGpus(absl::string_view op) {
  static const auto& ops = *new std::set<absl::string_view>{"CropAndResize",
                                                            "CropAndResizeGradBoxes",
                                                            "CropAndResizeGradImage",
                                                            "Div",
                                                            "DynamicPartition",
                                                            "DynamicStitch",
                                                            "FloorDiv",
                                                            "FloorMod",
                                                            "Gather",
                                                            "GatherNd",
                                                            "GatherV2",
                                                            "Mod",
                                                            "ParallelDynamicStitch",
                                                            "Pow",
                                                            "ResourceGather",
                                                            "ResourceGatherNd",
                                                            "SegmentSum",
                                                            "SparseSoftmaxCrossEntropyWithLogits",
                                                            "SparseTensorDenseMatMul",
                                                            "TruncateDiv",
                                                            "TruncateMod",
                                                            "UnsortedSegmentMax",
                                                            "UnsortedSegmentMin",
                                                            "UnsortedSegmentProd",
                                                            "UnsortedSegmentSum"};
  return ops.contains(op) || absl::StrContains(op, "Scatter") ||
         absl::StartsWith(op, "SparseApply") || absl::StartsWith(op, "ResourceSparseApply");
}

// A GPU sorts the rows also then. The order of the CPU is that of TensorFlow's heap.
bool IsUnsortedTopK(const graph::Node& node) {
  return (node.op() == "TopK" || node.op() == "TopKV2") &&
         !GetAttrOr<bool>(node.attrs, "sorted", true);
}

server::ServerOptions OptionsFor(Target target) {
  server::ServerOptions options;
  options.job = "localhost";
  options.asynchronous_devices = target == Target::kAsync;
  options.gpus.required = target == Target::kGpu;
  if (target != Target::kGpu) options.gpus.visible = "none";
  return options;
}

absl::string_view TypeOf(Target target) { return target == Target::kGpu ? kGpu : kCpu; }

std::string DeviceOf(Target target) { return Cat("/device:", TypeOf(target), ":0"); }

absl::StatusOr<client::Session::Feeds> FeedsOf(const proto::RecordedRun& run) {
  client::Session::Feeds feeds;
  for (const proto::NamedTensorProto& feed : run.feeds()) {
    SLUICE_ASSIGN(Tensor value, DecodeTensor(feed.tensor()));
    feeds.emplace_back(feed.name(), std::move(value));
  }
  return feeds;
}

std::vector<std::string> Strings(const google::protobuf::RepeatedPtrField<std::string>& repeated) {
  return {repeated.begin(), repeated.end()};
}

// A sum has another order on a GPU, and TensorFlow's own answer, from its CPU, is not exact: where
// terms cancel, the difference is in proportion to the terms.
Tolerance ToleranceOf(const proto::RecordedRun& run, const Tensor& answer, Target target) {
  Tolerance tolerance{run.rtol(), run.atol()};
  if (target == Target::kGpu && answer.dtype() == kFloat && tolerance.absolute == 0)
    tolerance.absolute = 1e-5;
  return tolerance;
}

absl::Status CheckAnswers(const proto::RecordedRun& run, const std::vector<Tensor>& values,
                          Target target) {
  for (int i = 0; i < run.answers_size(); ++i) {
    SLUICE_ASSIGN(const Tensor answer, DecodeTensor(run.answers(i)));
    const absl::Status same =
        CompareAnswer(values[static_cast<size_t>(i)], answer, ToleranceOf(run, answer, target));
    if (!same.ok()) return Internal(run.fetches(i), " ", same.message());
  }
  return absl::OkStatus();
}

// The nodes that ran on the device.
absl::StatusOr<std::set<std::string>> NodesOn(const std::string& device,
                                              const std::string& metadata) {
  proto::RunMetadata parsed;
  if (!parsed.ParseFromString(metadata)) return Internal("the metadata cannot be read");
  std::set<std::string> there;
  for (const proto::DeviceStepStats& stats : parsed.step_stats().dev_stats()) {
    if (!absl::EndsWith(stats.device(), device)) continue;
    for (const proto::NodeExecStats& node : stats.node_stats()) there.insert(node.node_name());
  }
  return there;
}

// The recorded program may have had several tasks.
proto::GraphDef WithoutDevices(proto::GraphDef graph) {
  for (proto::NodeDef& node : *graph.mutable_node()) node.clear_device();
  for (proto::FunctionDef& function : *graph.mutable_library()->mutable_function()) {
    for (proto::NodeDef& node : *function.mutable_node_def()) node.clear_device();
  }
  return graph;
}

// Null for a node that the graph lacks.
std::vector<graph::Node*> NodesOf(const proto::RecordedRun& run, client::Graph& graph) {
  std::vector<graph::Node*> nodes;
  for (const std::string& name : run.nodes()) nodes.push_back(graph.graph().Find(name));
  return nodes;
}

}  // namespace

Player::Player(Target target) : target_(target) { kernels::RegisterAllKernels(kernels_); }

absl::StatusOr<std::unique_ptr<Player>> Player::Create(Target target) {
  std::unique_ptr<Player> player(new Player(target));
  SLUICE_ASSIGN(player->server_, server::Server::InProcess(OptionsFor(target)));
  return player;
}

bool Player::HasKernels(const std::vector<graph::Node*>& nodes) const {
  return std::all_of(nodes.begin(), nodes.end(), [&](const graph::Node* node) {
    if (target_ == Target::kGpu && IsUnsortedTopK(*node)) return false;
    return kernels_.table().Has(node->op(), TypeOf(target_), node->attrs);
  });
}

bool Player::MayPass(const std::vector<graph::Node*>& nodes) const {
  return target_ == Target::kGpu &&
         std::any_of(nodes.begin(), nodes.end(),
                     [](const graph::Node* node) { return IgnoresValuesOnGpus(node->op()); });
}

void Player::Play(const proto::RecordedCases& cases) {
  client::Graph graph;
  const absl::Status imported = graph.Import(WithoutDevices(cases.graph()).SerializeAsString());
  if (!imported.ok()) return Fail(Cat(cases.name(), ": ", imported.message()));
  for (const proto::RecordedRun& run : cases.runs()) {
    const std::vector<graph::Node*> nodes = NodesOf(run, graph);
    if (std::count(nodes.begin(), nodes.end(), nullptr) > 0)
      return Fail(Cat(run.name(), ": the graph lacks a tested node"));
    if (!HasKernels(nodes)) continue;
    for (graph::Node* node : nodes) node->requested_device = DeviceOf(target_);
  }
  client::SessionOptions options;
  options.server = server_.get();
  options.allow_soft_placement = true;   // of what is not tested
  options.isolate_session_state = true;  // variables of other recordings have the same names
  auto session = client::Session::Create(&graph, options);
  if (!session.ok()) return Fail(Cat(cases.name(), ": ", session.status().message()));
  for (const proto::RecordedRun& run : cases.runs()) PlayRun(run, graph, **session);
}

void Player::PlayRun(const proto::RecordedRun& run, client::Graph& graph,
                     client::Session& session) {
  const std::vector<graph::Node*> nodes = NodesOf(run, graph);
  if (!HasKernels(nodes)) {
    ++without_kernels_;
    return;
  }
  const auto ran = Check(run, nodes, session);
  if (!ran.ok()) return Fail(Cat(run.name(), ": ", ran.status().message()));
  ++passed_;
  for (const std::string& name : *ran) {
    // A node of a function's body is not in the graph.
    if (const graph::Node* node = graph.graph().Find(name)) ++runs_by_op_[node->op()];
  }
}

absl::StatusOr<std::set<std::string>> Player::Check(const proto::RecordedRun& run,
                                                    const std::vector<graph::Node*>& nodes,
                                                    client::Session& session) const {
  SLUICE_ASSIGN(const client::Session::Feeds feeds, FeedsOf(run));
  std::string metadata;
  client::RunOptions options;
  options.timeout_ms = kTimeoutMs;
  options.trace = true;
  options.metadata = &metadata;
  const auto values = session.Run(feeds, Strings(run.fetches()), Strings(run.targets()), options);
  const auto expected = static_cast<absl::StatusCode>(run.code());
  if (!values.ok() && values.status().code() == expected) return std::set<std::string>();
  if (!values.ok()) return Internal(values.status().ToString());
  if (expected == absl::StatusCode::kOk) {
    SLUICE_RETURN_IF_ERROR(CheckAnswers(run, *values, target_));
  } else if (!MayPass(nodes)) {
    return Internal("no error, expected ", absl::StatusCodeToString(expected));
  }
  SLUICE_ASSIGN(std::set<std::string> there, NodesOn(DeviceOf(target_), metadata));
  for (const graph::Node* node : nodes) {
    if (!there.contains(node->name()))
      return Internal(node->name(), " did not run on ", DeviceOf(target_));
  }
  return there;
}

}  // namespace sluice::player
