// SPDX-License-Identifier: Apache-2.0
// The module sluice._sluice: graphs, sessions and servers for the Python files beside it.

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "client/gpu_options.h"
#include "client/graph.h"
#include "client/session.h"
#include "client/transports.h"
#include "core/io/event_file.h"
#include "core/log.h"
#include "core/version.h"
#include "python_client/attrs.h"
#include "python_client/files.h"
#include "python_client/functions.h"
#include "python_client/gil.h"
#include "python_client/memory.h"
#include "python_client/numpy.h"
#include "python_client/pipelines.h"
#include "python_client/task_status.h"
#include "server/server.h"

namespace sluice::python {
namespace py = pybind11;
namespace {

using client::Graph;
using client::Output;
using client::Session;
using TensorId = std::pair<int, int>;  // node id, output

// The types that pybind11 deduces for the client's own node pointer.
using NodePointer = decltype(Output::node);

// Destroys its object without the GIL: members may wait for threads that need it.
struct DeleteWithoutGil {
  template <typename T>
  void operator()(T* object) const {
    WithoutGil free;
    delete object;
  }
};
using SessionOwner = std::unique_ptr<Session, DeleteWithoutGil>;
using ServerOwner = std::unique_ptr<server::Server, DeleteWithoutGil>;

NodePointer NodeOf(Graph& graph, int id) {
  NodePointer node = id >= 0 && id < graph.graph().num_ids() ? graph.graph().by_id(id) : nullptr;
  if (node == nullptr) Raise(NotFound("the graph has no node with id ", id));
  return node;
}

Output OutputOf(Graph& graph, TensorId id) {
  const Output output = {NodeOf(graph, id.first), id.second};
  if (id.second < 0 || id.second >= output.node->num_outputs()) {
    Raise(InvalidArgument("node \"", output.node->name(), "\" has no output ", id.second));
  }
  return output;
}

TensorId IdOf(const Output& output) { return {output.node->id(), output.index}; }

// While a graph is built, an invalid argument is a ValueError, as in TensorFlow's client.
void RaiseIfNotBuilt(const absl::Status& status) {
  if (absl::IsInvalidArgument(status)) throw py::value_error(std::string(status.message()));
  RaiseUnlessOk(status);
}

int AddNode(Graph& graph, const std::string& op, const std::vector<TensorId>& inputs,
            const py::dict& attrs, const std::string& name, const std::string& device,
            const std::vector<int>& control_inputs) {
  const OpDef* def = graph.graph().ops().Find(op);
  if (def == nullptr) Raise(NotFound("Op type not registered '", op, "'"));
  std::vector<Output> outputs;
  for (TensorId id : inputs) outputs.push_back(OutputOf(graph, id));
  Graph::NodeOptions options;
  options.name = name;
  options.device = device;
  for (int id : control_inputs) options.control_inputs.push_back(NodeOf(graph, id));
  const auto node = graph.AddNode(op, outputs, ToAttrs(*def, attrs), options);
  RaiseIfNotBuilt(node.status());
  return (*node)->id();
}

py::dict Describe(Graph& graph, int id) {
  const NodePointer node = NodeOf(graph, id);
  py::dict d;
  d["name"] = node->name();
  d["op"] = node->op();
  d["device"] = node->requested_device;
  py::list types, inputs, controls;
  for (DType type : node->output_types) types.append(static_cast<int>(type));
  for (int i = 0; i < node->num_inputs(); ++i) {
    inputs.append(py::cast(IdOf({node->input(i)->src, node->input(i)->src_output})));
  }
  for (const auto* edge : node->in_edges()) {
    if (edge->control()) controls.append(edge->src->id());
  }
  d["output_types"] = types;
  d["inputs"] = inputs;
  d["control_inputs"] = controls;
  return d;
}

// (name, op, numbers of the output types): the fields of an Operation.
py::tuple Brief(Graph& graph, int id) {
  const NodePointer node = NodeOf(graph, id);
  py::tuple types(node->output_types.size());
  for (size_t i = 0; i < types.size(); ++i) types[i] = static_cast<int>(node->output_types[i]);
  return py::make_tuple(node->name(), node->op(), types);
}

std::string AddFunction(Graph& graph, const std::string& name, Graph& body,
                        const std::vector<TensorId>& args, const std::vector<TensorId>& rets,
                        const std::vector<int>& control_rets) {
  std::vector<Output> ins, outs;
  for (TensorId id : args) ins.push_back(OutputOf(body, id));
  for (TensorId id : rets) outs.push_back(OutputOf(body, id));
  std::vector<NodePointer> controls;
  for (int id : control_rets) controls.push_back(NodeOf(body, id));
  return ValueOrRaise(graph.AddFunction(name, body, ins, outs, controls));
}

py::list Gradients(Graph& graph, const std::vector<TensorId>& ys, const std::vector<TensorId>& xs,
                   const std::vector<std::optional<TensorId>>& grad_ys, const std::string& scope,
                   const std::vector<TensorId>& stop, bool gate, bool colocate) {
  std::vector<Output> y, x;
  Graph::GradientsOptions options;
  options.scope = scope;
  options.gate = gate;
  options.colocate = colocate;
  for (TensorId id : ys) y.push_back(OutputOf(graph, id));
  for (TensorId id : xs) x.push_back(OutputOf(graph, id));
  for (TensorId id : stop) options.stop_gradients.push_back(OutputOf(graph, id));
  std::vector<std::optional<Output>> given;
  for (const auto& id : grad_ys) {
    given.push_back(id ? std::make_optional(OutputOf(graph, *id)) : std::nullopt);
  }
  py::list result;
  for (const auto& gradient : ValueOrRaise(graph.Gradients(y, x, given, options))) {
    if (!gradient) {
      result.append(py::none());
    } else if (!gradient->sparse()) {
      result.append(py::make_tuple(IdOf(gradient->values)));
    } else {
      result.append(py::make_tuple(IdOf(gradient->values), IdOf(gradient->indices),
                                   IdOf(gradient->dense_shape)));
    }
  }
  return result;
}

// Whether the calling thread is the one on which Python runs the handlers of signals.
bool HandlesSignals() {
  static const auto* main_thread =
      new py::object(py::module_::import("threading").attr("main_thread"));
  return (*main_thread)().attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

// Calls `work` without the GIL. On the thread that handles signals, `work` calls its argument from
// time to time; the argument returns false if a handler (Ctrl-C) raised an exception, which is
// raised here too. On others it is null: they would only take the GIL from those that need it.
template <typename Work>
auto WithoutGilWhile(const Work& work) {
  bool interrupted = false;
  std::function<bool()> go_on;
  if (HandlesSignals()) {
    go_on = [&] {
      WithGil gil;
      interrupted = interrupted || PyErr_CheckSignals() != 0;
      return !interrupted;
    };
  }
  auto result = [&] {
    WithoutGil free;
    return work(go_on);
  }();
  if (interrupted) throw py::error_already_set();
  return ValueOrRaise(std::move(result));
}

// Runs a step. Returns the values, and the bytes of its RunMetadata.
py::tuple Run(Session& session, const std::vector<std::tuple<std::string, py::object, int>>& feeds,
              const std::vector<std::string>& fetches, const std::vector<std::string>& targets,
              int64_t timeout_ms, bool trace, bool partition_graphs, const std::string& debug,
              bool with_metadata, const std::string& partial_run) {
  Session::Feeds tensors;
  for (const auto& [name, value, dtype] : feeds) {
    tensors.emplace_back(name, ToTensor(value, static_cast<DType>(dtype), /*borrow=*/true));
  }
  client::RunOptions options;
  options.timeout_ms = timeout_ms;
  options.trace = trace;
  options.partition_graphs = partition_graphs;
  options.debug = debug;
  options.partial_run = partial_run;
  std::string metadata;
  if (with_metadata) options.metadata = &metadata;
  std::vector<Tensor> values = WithoutGilWhile([&](const std::function<bool()>& go_on) {
    options.go_on = go_on;
    return session.Run(tensors, fetches, targets, options);
  });
  py::list result;
  for (Tensor& value : values) result.append(ToNumpy(std::move(value)));
  return py::make_tuple(result, py::bytes(metadata));
}

std::string SetUpPartialRun(Session& session, const std::vector<std::string>& feeds,
                            const std::vector<std::string>& fetches,
                            const std::vector<std::string>& targets) {
  return WithoutGilWhile([&](const std::function<bool()>& go_on) {
    return session.SetUpPartialRun(feeds, fetches, targets, go_on);
  });
}

void Reset(const std::string& target, const std::vector<std::string>& containers,
           const std::vector<std::string>& device_filters, int64_t timeout_ms) {
  absl::Status status;
  {
    WithoutGil free;
    status = Session::Reset(target, containers, device_filters, timeout_ms);
  }
  RaiseUnlessOk(status);
}

py::list ListDevices(Session& session) {
  transport::ListDevicesResult listed = WithoutGilWhile(
      [&](const std::function<bool()>& go_on) { return session.ListDevices(go_on); });
  std::vector<DeviceAttributes>& devices = listed.local;
  for (DeviceAttributes& d : listed.remote) devices.push_back(std::move(d));
  py::list result;
  for (const DeviceAttributes& d : devices) {
    result.append(py::make_tuple(d.name, d.type, d.memory_limit, d.incarnation));
  }
  return result;
}

// The task that answers, and for each of its peers: task, address, transport, [(a better transport,
// the reason against it, whether it is rare)].
py::tuple ListTransports(const std::string& target, double timeout) {
  absl::StatusOr<transport::TaskTransports> transports;
  {
    WithoutGil free;
    transports = client::ListTransports(target, absl::Seconds(timeout));
  }
  const transport::TaskTransports answer = ValueOrRaise(std::move(transports));
  py::list peers;
  for (const transport::TransportChoice& choice : answer.choices) {
    py::list passed_over;
    for (const auto& [transport, why, rare] : choice.passed_over)
      passed_over.append(py::make_tuple(transport, why, rare));
    peers.append(py::make_tuple(choice.peer, choice.address, choice.transport, passed_over));
  }
  return py::make_tuple(answer.task, peers);
}

// The fields of a sluice.Credentials; without one, those of the environment.
transport::CredentialFiles FilesOf(const py::handle& credentials) {
  if (credentials.is_none()) return transport::CredentialFilesOfEnvironment();
  const auto file = [&](const char* name) { return credentials.attr(name).cast<std::string>(); };
  return {file("tls_ca"), file("tls_cert"), file("tls_key"), file("token_file")};
}

SessionOwner CreateSession(const Graph& graph, const std::string& target, server::Server* server,
                           int cpu_devices, int64_t timeout_ms, const py::bytes& config,
                           const py::handle& credentials) {
  client::SessionOptions options;
  options.target = target;
  options.server = server;
  options.cpu_devices = cpu_devices;
  options.operation_timeout_ms = timeout_ms;
  options.config = config;
  options.credentials = FilesOf(credentials);
  absl::StatusOr<std::unique_ptr<Session>> session;
  {
    WithoutGil free;
    session = Session::Create(&graph, options);
  }
  return SessionOwner(ValueOrRaise(std::move(session)).release());
}

ServerOwner StartServer(const std::string& cluster, const std::string& job, int task,
                        int cpu_devices, int inter_op_threads, int intra_op_threads,
                        const std::string& bind, bool insecure, const py::handle& credentials,
                        bool mutual_tls, bool deterministic, const std::string& config) {
  server::ServerOptions options;
  options.cluster = ValueOrRaise(server::ClusterSpec::Parse(cluster));
  options.job = job;
  options.task = task;
  options.cpu_devices = cpu_devices;
  options.inter_op_threads = inter_op_threads < 0 ? 1 : inter_op_threads;
  options.intra_op_threads = intra_op_threads;
  options.bind_host = bind;
  options.insecure = insecure;
  options.mutual_tls = mutual_tls;
  options.deterministic = deterministic;
  options.gpus = ValueOrRaise(client::GpuOptionsOf(config));
  if (!credentials.is_none()) options.credentials = FilesOf(credentials);
  absl::StatusOr<std::unique_ptr<server::Server>> server;
  {
    WithoutGil free;
    server = server::Server::Start(options);
  }
  return ServerOwner(ValueOrRaise(std::move(server)).release());
}

void Join(server::Server& server) {
  WithoutGil free;
  server.Join();
}

void DefineGraph(py::module_& m) {
  py::class_<Graph>(m, "Graph")
      .def(py::init<>())
      .def("add_node", AddNode)
      .def("describe", Describe)
      .def("brief", Brief)
      .def("num_ids", [](const Graph& g) { return g.graph().num_ids(); })
      .def("has",
           [](const Graph& g, int id) {
             return id >= 0 && id < g.graph().num_ids() && g.graph().by_id(id) != nullptr;
           })
      .def("find",
           [](Graph& g, const std::string& name) {
             const NodePointer node = g.graph().Find(name);
             return node == nullptr ? -1 : node->id();
           })
      .def(
          "attr",
          [](Graph& g, int id, const std::string& name) {
            const NodePointer node = NodeOf(g, id);
            auto it = node->attrs.find(name);
            if (it == node->attrs.end()) {
              Raise(InvalidArgument("node \"", node->name(), "\" has no attribute \"", name, "\""));
            }
            return FromAttr(it->second);
          })
      .def("shape", [](Graph& g, TensorId id) { return FromShape(g.shape(OutputOf(g, id))); })
      .def("set_shape", [](Graph& g, TensorId id,
                           py::handle shape) { g.set_shape(OutputOf(g, id), ToShape(shape)); })
      .def("set_device",
           [](Graph& g, int id, const std::string& device) {
             NodeOf(g, id)->requested_device = device;
           })
      .def("add_control_input",
           [](Graph& g, int id, int source) {
             g.graph().AddControlEdge(NodeOf(g, source), NodeOf(g, id));
           })
      .def("set_places",
           [](Graph& g, int first_id, const std::vector<int>& of_node,
              const std::vector<std::tuple<std::string, int, std::string>>& places) {
             std::vector<Graph::Place> converted;
             for (const auto& [file, line, function] : places)
               converted.push_back({file, line, function});
             g.SetPlaces(first_id, of_node, converted);
           })
      .def("gradients", Gradients)
      .def("add_function", AddFunction)
      .def("stateful", &Graph::stateful)
      .def("import_graph", [](Graph& g, const py::bytes& def) { RaiseIfNotBuilt(g.Import(def)); })
      .def("serialize", [](const Graph& g) { return py::bytes(ValueOrRaise(g.Serialize())); });
}

}  // namespace

PYBIND11_MODULE(_sluice, m) {
  // Reports of INFO level are not written to a user's terminal unless SLUICE_LOG_LEVEL requests
  // them.
  if (const absl::Status status = ConfigureLog(LogLevel::kWarning); !status.ok())
    throw py::value_error(std::string(status.message()));
  m.attr("version") = kVersion;
  py::class_<Tensor>(m, "Tensor");
  m.def("tensor", [](py::handle value, int dtype) {
    return ToTensor(value, static_cast<DType>(dtype), /*borrow=*/false);
  });
  m.def("tensor_info", [](const Tensor& t) {
    return py::make_tuple(static_cast<int>(t.dtype()), FromShape(t.shape()));
  });
  m.def("ops", [] {
    const Graph graph;
    py::list list;
    for (const OpDef& op : graph.graph().ops().ops()) list.append(DescribeOp(op));
    return list;
  });
  m.def("reset", Reset);
  m.def("list_transports", ListTransports);
  DefineGraph(m);
  DefineFiles(m);
  DefineFunctions(m);
  DefinePipelines(m);
  DefineMemory(m);
  DefineTaskStatus(m);
  py::class_<Session, SessionOwner>(m, "Session")
      .def(py::init(&CreateSession), py::keep_alive<1, 2>(), py::keep_alive<1, 4>())
      .def("run", Run)
      .def("set_up_partial_run", SetUpPartialRun)
      .def("list_devices", ListDevices)
      .def("interrupt", &Session::Interrupt, py::call_guard<WithoutGil>())
      .def("close", [](Session& session) {
        absl::Status status;
        {
          WithoutGil free;
          status = session.Close();
        }
        RaiseUnlessOk(status);
      });
  py::class_<EventFile>(m, "EventFile")
      .def(py::init([](const std::string& folder, const std::string& suffix) {
        return ValueOrRaise(EventFile::Create(folder, suffix));
      }))
      .def("append", [](EventFile& file, const std::string& event) { file.Append(event); })
      .def("flush", [](EventFile& file) { RaiseUnlessOk(file.Flush()); })
      .def_property_readonly("path", &EventFile::path);
  py::class_<server::Server, ServerOwner>(m, "Server")
      .def(py::init(&StartServer))
      .def_property_readonly("target", &server::Server::target)
      .def_property_readonly("port", &server::Server::port)
      .def("join", Join)
      .def("stop", [](server::Server& server, double grace) {
        WithoutGil free;
        server.Stop(absl::Seconds(grace));
      });
}

}  // namespace sluice::python
