// SPDX-License-Identifier: Apache-2.0
#include "bench/transport/runtime.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "bench/free_port.h"
#include "bench/transport/check.h"
#include "bench/transport/clock.h"
#include "bench/transport/statistics.h"
#include "client/graph.h"
#include "client/session.h"
#include "server/server.h"

namespace sluice::bench {
namespace {

using client::Output;

constexpr char kNear[] = "/job:near/task:0", kFar[] = "/job:far/task:0";
constexpr int64_t kSmallStep = 1 << 20;  // up to this size a step has several round trips
constexpr int kTrips = 16, kNullSteps = 20;

absl::StatusOr<std::unique_ptr<server::Server>> StartTask(const std::string& transport,
                                                          const std::string& job,
                                                          const std::string& host,
                                                          const std::string& near_address,
                                                          const std::string& far_address) {
  server::ServerOptions options;
  SLUICE_ASSIGN(options.cluster,
                server::ClusterSpec::Parse(absl::StrCat("{\"near\":[\"", near_address,
                                                        "\"],\"far\":[\"", far_address, "\"]}")));
  options.job = job;
  options.transport = transport;
  options.bind_host = host;
  options.insecure = true;  // on the network of the benchmark
  return server::Server::Start(options);
}

// A graph of one payload, built node by node.
class TransferGraph {
 public:
  // Variables that hold the payload; `load` assigns the fed values to them.
  TransferGraph(const std::vector<Tensor>& tensors, int trips, int window) {
    std::vector<Output> values, loaded;
    for (const Tensor& tensor : tensors) values.push_back(AddVariable(tensor, &loaded));
    load_ = AddGroup("load", loaded, kNear);
    std::vector<Output> moving = values;
    for (int i = 0; i < trips; ++i) {
      for (const char* place : {kFar, kNear}) {
        for (Output& tensor : moving) tensor = Add("Identity", {tensor}, {}, place);
      }
    }
    round_trips_ = AddGroup("round_trips", moving, kNear);
    std::vector<Output> arrived;
    for (int i = 0; i < window; ++i) {
      for (const Output& value : values) {
        const Output message = Add("Identity", {value}, {}, kNear);
        arrived.push_back(Add("Identity", {message}, {}, kFar));
      }
    }
    stream_ = AddGroup("stream", arrived, kFar);
    nothing_ = AddGroup("nothing", {Add("NoOp", {}, {}, kNear), Add("NoOp", {}, {}, kFar)}, kNear);
  }
  const client::Graph& graph() const { return graph_; }
  const std::vector<std::string>& fed() const { return fed_; }
  const std::string& load() const { return load_; }
  const std::string& round_trips() const { return round_trips_; }
  const std::string& stream() const { return stream_; }
  const std::string& nothing() const { return nothing_; }

 private:
  Output Add(const std::string& op, const std::vector<Output>& inputs, AttrMap attrs,
             const char* place) {
    return {Checked(graph_.AddNode(op, inputs, std::move(attrs), {.device = place}), op), 0};
  }
  Output AddVariable(const Tensor& tensor, std::vector<Output>* loaded) {
    AttrMap attrs;
    attrs["dtype"] = tensor.dtype();
    const Output value = Add("Placeholder", {}, attrs, kNear);
    fed_.push_back(absl::StrCat(value.node->name(), ":0"));
    attrs["shared_name"] = absl::StrCat("payload", fed_.size());
    attrs["shape"] = PartialShape(tensor.shape());
    const Output handle = Add("VarHandleOp", {}, attrs, kNear);
    loaded->push_back(Add("AssignVariableOp", {handle, value}, {}, kNear));
    return Add("ReadVariableOp", {handle}, {{"dtype", tensor.dtype()}}, kNear);
  }
  // The name of a node that runs after these.
  std::string AddGroup(const std::string& name, const std::vector<Output>& after,
                       const char* place) {
    client::Graph::NodeOptions options{.name = name, .device = place};
    for (const Output& output : after) options.control_inputs.push_back(output.node);
    return Checked(graph_.AddNode("NoOp", {}, {}, options), name)->name();
  }

  client::Graph graph_;
  std::vector<std::string> fed_;
  std::string load_, round_trips_, stream_, nothing_;
};

class RuntimeContender final : public Contender {
 public:
  RuntimeContender(FarEnd far, std::unique_ptr<server::Server> server)
      : far_(std::move(far)), server_(std::move(server)) {}

  void Load(const Payload& payload, int window) override;
  std::vector<double> PingPong(int times) override;
  void Stream() override { Run(graph_->stream()); }
  void Post() override {}
  void Await() override { Run(graph_->round_trips()); }

 private:
  void Run(const std::string& target) {
    const auto ran = session_->Run({}, {}, {target});
    Check(ran.ok(), "a step: " + ran.status().ToString());
  }
  double SecondsOf(const std::string& target) {
    const double start = Now();
    Run(target);
    return Now() - start;
  }

  const FarEnd far_;
  const std::unique_ptr<server::Server> server_;
  int trips_ = 1;
  std::unique_ptr<TransferGraph> graph_;
  std::unique_ptr<client::Session> session_;
};

void RuntimeContender::Load(const Payload& payload, int window) {
  session_.reset();
  trips_ = payload.bytes() <= kSmallStep ? kTrips : 1;
  const std::vector<Tensor> tensors = EncodedTensors(payload);
  graph_ = std::make_unique<TransferGraph>(tensors, trips_, window);
  client::SessionOptions options;
  options.server = server_.get();
  options.isolate_session_state = true;
  session_ = Checked(client::Session::Create(&graph_->graph(), options), "opening a session");
  client::Session::Feeds feeds;
  for (size_t i = 0; i < tensors.size(); ++i) feeds.emplace_back(graph_->fed()[i], tensors[i]);
  Checked(session_->Run(feeds, {}, {graph_->load()}), "loading variables");
}

std::vector<double> RuntimeContender::PingPong(int times) {
  std::vector<double> nothing, trips;
  for (int i = 0; i < kNullSteps; ++i) nothing.push_back(SecondsOf(graph_->nothing()));
  const double null_step = Median(std::move(nothing));
  for (int i = 0; i < std::max(1, times / trips_); ++i)
    trips.push_back(std::max(0.0, SecondsOf(graph_->round_trips()) - null_step) / trips_);
  return trips;
}

// A task that only serves.
class RuntimeResponder final : public Responder {
 public:
  RuntimeResponder(std::unique_ptr<server::Server> server, std::string address)
      : server_(std::move(server)), address_(std::move(address)) {}
  std::vector<std::string> contact() const override { return {address_}; }

 private:
  const std::unique_ptr<server::Server> server_;
  const std::string address_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Contender>> CreateRuntimeContender(const std::string& transport,
                                                                  FarProcess& far) {
  const std::string address = absl::StrCat(far.own_host(), ":", FreePort());
  SLUICE_ASSIGN(FarEnd opened, far.Open("runtime-" + transport, {address}));
  SLUICE_ASSIGN(auto server,
                StartTask(transport, "near", far.own_host(), address, opened.contact().at(0)));
  return std::make_unique<RuntimeContender>(std::move(opened), std::move(server));
}

absl::StatusOr<std::unique_ptr<Responder>> CreateRuntimeResponder(
    const std::string& transport, const FarSide& side, const std::vector<std::string>& arguments) {
  if (arguments.empty()) return InvalidArgument("the near task's address is missing");
  const std::string address = absl::StrCat(side.own_host, ":", FreePort());
  SLUICE_ASSIGN(auto server, StartTask(transport, "far", side.own_host, arguments[0], address));
  return std::make_unique<RuntimeResponder>(std::move(server), address);
}

}  // namespace sluice::bench
