// SPDX-License-Identifier: Apache-2.0
#include "worker_service/functions.h"

#include <algorithm>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/runtime/local_rendezvous.h"
#include "core/status.h"
#include "graph/argument_memory.h"
#include "graph/function_body.h"
#include "graph/lowering/lower_functions.h"
#include "graph/make_function.h"
#include "graph/partition.h"
#include "graph/place.h"
#include "graph/signature.h"
#include "proto/graph.pb.h"
#include "worker_service/executable.h"
#include "worker_service/executor.h"
#include "worker_service/task_options.h"

namespace sluice::worker {
namespace {

// Whether all that a body does with a table is to read it, as a position of a data set permits.
bool OnlyReadAsTable(const graph::Node& arg) {
  return absl::c_all_of(arg.out_edges(), [](const graph::Edge* edge) {
    if (edge->control()) return true;
    const OpDef* op = edge->dst->op_def();
    return op != nullptr && !op->inputs.empty() && op->inputs[0].name == "table_handle" &&
           !op->outputs.empty();
  });
}

// Whether a node keeps something from one call to the next: numbers of a random stream, a resource
// with a name, or what an op keeps that has no inputs (a reader of records). Ops that check, print
// or make data sets are called stateful only so that nothing folds them, and the resources that a
// TensorArray or a stack makes are those of one call.
bool KeepsState(const graph::Node& node) {
  if (node.op_def() == nullptr) return false;  // compiling the body refuses it
  const OpDef& op = *node.op_def();
  if (graph::IsArgOrRetval(node))
    return absl::c_linear_search(node.output_types, kResource) && !OnlyReadAsTable(node);
  if (!op.stateful) return false;
  if (op.dataset) {
    if (op.outputs.size() != 1 || op.outputs[0].name != "handle") return true;
    return absl::c_any_of(op.inputs, [](const ArgDef& input) {
      return input.type == kResource || input.name == "seed";
    });
  }
  const bool named = op.FindAttr("shared_name") != nullptr || op.FindAttr("container") != nullptr;
  return op.random || named || (op.inputs.empty() && !op.attrs.empty());
}

// A body that is being made into an Executable.
class BodyCompiler {
 public:
  BodyCompiler(const FunctionSite& site, const DeviceName& device) : site_(site), device_(device) {}

  absl::Status Run(const FunctionRef& function) {
    const AttrMap attrs = function.attrs == nullptr ? AttrMap() : *function.attrs;
    SLUICE_ASSIGN(graph::FunctionBody body,
                  graph::Instantiate(site_.library, *site_.ops, function.name, attrs));
    body.graph->producer_version = site_.producer_version;
    arg_types = body.arg_types;
    result_types = body.ret_types;
    SLUICE_RETURN_IF_ERROR(Shrink(body));
    SLUICE_RETURN_IF_ERROR(PlaceNodes(*body.graph));
    if (body.graph->num_nodes() == 0) return absl::OkStatus();
    for (const graph::Node* node : body.graph->nodes()) stateful |= KeepsState(*node);
    SLUICE_ASSIGN(const graph::PartitionOptions memory,
                  graph::FindArgumentMemory(*body.graph, Devices()));
    SLUICE_ASSIGN(auto parts, graph::Partition(std::move(body.graph), memory));
    if (parts.size() != 1 || parts[0].task != site_.task) {
      return Unimplemented("its body does not run on ", site_.task, " alone");
    }
    SLUICE_ASSIGN(executable, Executable::Compile(*parts[0].graph, CompileOptions()));
    return absl::OkStatus();
  }

  std::vector<DType> arg_types, result_types;
  std::shared_ptr<const Executable> executable;  // null if the body is empty
  bool stateful = false;                         // a node keeps a state between calls

 private:
  // Inlines the calls in the body. Only nodes that results and side effects need are kept.
  absl::Status Shrink(graph::FunctionBody& body) {
    std::vector<std::string> roots;
    for (const graph::Node* ret : body.rets) roots.push_back(ret->name());
    const auto& effects = body.control_rets.empty() ? body.effects : body.control_rets;
    for (const graph::Node* node : effects) roots.push_back(node->name());
    const std::string device = device_.ToString();
    for (graph::Node* node : body.graph->nodes())
      node->requested_device = graph::IsArgOrRetval(*node)
                                   ? site_.device_names[0].ToString()
                                   : MergeDevices(node->requested_device, device);
    SLUICE_RETURN_IF_ERROR(graph::LowerFunctions(*body.graph));
    std::vector<graph::Node*> kept;
    for (const std::string& root : roots) {
      if (graph::Node* node = body.graph->Find(root)) kept.push_back(node);
    }
    graph::Prune(kept, *body.graph);
    return absl::OkStatus();
  }

  std::vector<graph::PlaceableDevice> Devices() const {
    std::vector<graph::PlaceableDevice> devices;
    for (size_t i = 0; i < site_.devices.size(); ++i) {
      const DeviceName& name = site_.device_names[i];
      devices.push_back({name.ToString(), name, site_.devices[i]->type(), &site_.kernels->table()});
    }
    return devices;
  }

  absl::Status PlaceNodes(graph::Graph& graph) const {
    graph::PlaceOptions options;
    options.allow_soft_placement = true;
    return graph::Place(graph, Devices(), options);
  }

  Executable::Options CompileOptions() {
    std::vector<std::string> names;
    for (const DeviceName& name : site_.device_names) names.push_back(name.ToString());
    Executable::Options options =
        TaskOptions(site_.task, site_.devices, std::move(names), *site_.kernels, site_.rules);
    options.kernel = [this](const NodeSpec& node) { return MakeKernel(node); };
    return options;
  }

  absl::StatusOr<std::shared_ptr<const Kernel>> MakeKernel(const NodeSpec& node) {
    NodeSpec spec = node;
    if (spec.attrs.contains("_edge")) spec.attrs["_peer"] = int64_t{Rendezvous::kLocal};
    ApplyRules(site_.rules, spec);
    SLUICE_ASSIGN(const DeviceName device, DeviceName::Parse(node.device));
    std::shared_ptr<const Kernel> own;
    const auto instance = GetAttrOr<std::string>(node.attrs, "_instance", "");
    std::shared_ptr<const Kernel>& kernel =
        instance.empty()
            ? own
            : instances_[absl::StrCat(node.device, ";", instance, ";", InterfaceOf(node))];
    if (kernel == nullptr) {
      SLUICE_ASSIGN(kernel, site_.kernels->Make(spec, device.type.value_or("CPU")));
    }
    return kernel;
  }

  const FunctionSite& site_;
  const DeviceName& device_;
  absl::flat_hash_map<std::string, std::shared_ptr<const Kernel>> instances_;
};

class CompiledFunction final : public Function,
                               public std::enable_shared_from_this<CompiledFunction> {
 public:
  CompiledFunction(std::shared_ptr<const FunctionSite> site, FunctionRef function,
                   DeviceName device, BodyCompiler body)
      : site_(site),
        function_(std::move(function)),
        device_(std::move(device)),
        stateful_(body.stateful),
        arg_types_(std::move(body.arg_types)),
        result_types_(std::move(body.result_types)),
        executable_(std::move(body.executable)),
        functions_(std::move(site)) {}

  const std::vector<DType>& arg_types() const override { return arg_types_; }
  const std::vector<DType>& result_types() const override { return result_types_; }
  void Start(Call call, Results done) const override;
  absl::StatusOr<std::shared_ptr<const Function>> Fresh() const override {
    if (!stateful_) return std::shared_ptr<const Function>();
    return Make(site_, function_, device_);
  }

  static absl::StatusOr<std::shared_ptr<const Function>> Make(
      std::shared_ptr<const FunctionSite> site, const FunctionRef& function,
      const DeviceName& device) {
    BodyCompiler body(*site, device);
    if (absl::Status status = body.Run(function); !status.ok()) {
      return Annotate(status, Cat("compiling function \"", function.name, "\""));
    }
    return std::make_shared<const CompiledFunction>(std::move(site), function, device,
                                                    std::move(body));
  }

 private:
  // The data for the cancellation of a call; it may outlive the call briefly.
  struct Ending {
    CancelToken cancel;
    LocalRendezvous rendezvous;
    void With(const absl::Status& why) {
      cancel.Cancel(why);
      rendezvous.Abort(why);
    }
  };
  struct Running {
    std::shared_ptr<const CompiledFunction> function;
    std::shared_ptr<Ending> ending = std::make_shared<Ending>();
    std::vector<Tensor> args;
    std::vector<Parcel> results;
    std::vector<StepContext> contexts;
    ResourceStore step_resources;
    CancelToken* caller = nullptr;
    int64_t caller_id = 0;
    Results done;
  };
  absl::Status CheckArgs(const std::vector<Tensor>& args) const;
  static void End(Running* run, absl::Status status);

  const std::shared_ptr<const FunctionSite> site_;
  const FunctionRef function_;
  const DeviceName device_;
  const bool stateful_;
  const std::vector<DType> arg_types_, result_types_;
  const std::shared_ptr<const Executable> executable_;
  mutable Functions functions_;  // of the kernels in the body
};

absl::Status CompiledFunction::CheckArgs(const std::vector<Tensor>& args) const {
  if (args.size() != arg_types_.size())
    return InvalidArgument("a function takes ", arg_types_.size(), " arguments, but is given ",
                           args.size());
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].dtype() != arg_types_[i])
      return InvalidArgument("argument ", i, " of a function must be ", arg_types_[i], ", got ",
                             args[i].dtype());
  }
  return absl::OkStatus();
}

void CompiledFunction::Start(Call call, Results done) const {
  if (absl::Status status = CheckArgs(call.args); !status.ok()) return done(std::move(status));
  if (executable_ == nullptr) return done(std::vector<Tensor>());
  auto owned = std::make_unique<Running>();
  Running* run = owned.release();  // End takes it back
  run->function = shared_from_this();
  run->args = std::move(call.args);
  run->results.resize(result_types_.size());
  run->done = std::move(done);
  for (size_t i = 0; i < site_->devices.size(); ++i) {
    StepContext& ctx = run->contexts.emplace_back();
    ctx.step_id = call.step_id;
    ctx.device = site_->devices[i];
    ctx.pool = call.pool != nullptr ? call.pool : site_->devices[i]->pool();
    ctx.rendezvous = &run->ending->rendezvous;
    ctx.resources = site_->resources[i];
    ctx.step_resources =
        call.step_resources != nullptr ? call.step_resources : &run->step_resources;
    ctx.cancel = &run->ending->cancel;
    ctx.functions = &functions_;
    ctx.collectives = call.collectives;
    ctx.args = run->args;
    ctx.retvals = absl::MakeSpan(run->results);
  }
  if (call.cancel != nullptr) {
    run->caller = call.cancel;
    run->caller_id = call.cancel->Register(
        [ending = run->ending](const absl::Status& why) { ending->With(MarkDerived(why)); });
    if (run->caller_id == 0) run->ending->With(MarkDerived(call.cancel->status()));
  }
  ExecuteArgs args;
  args.executable = executable_;
  args.contexts = run->contexts;
  args.pool = site_->pool;
  args.cancel = &run->ending->cancel;
  args.on_error = [ending = run->ending](const absl::Status& cause) {
    ending->With(MarkDerived(Aborted("the function failed: ", cause.message())));
  };
  args.done = [run](absl::Status status) { End(run, std::move(status)); };
  Execute(std::move(args));
}

void CompiledFunction::End(Running* raw, absl::Status status) {
  std::unique_ptr<Running> run(raw);
  if (run->caller != nullptr && run->caller_id != 0) run->caller->Deregister(run->caller_id);
  std::vector<Tensor> results;
  for (Parcel& result : run->results) {
    if (status.ok() && result.dead) status = Internal("a function returned a dead value");
    absl::StatusOr<Tensor> value = result.tensor.Snapshot();
    if (!value.ok()) status.Update(value.status());
    results.push_back(value.ok() ? *std::move(value) : Tensor());
  }
  Results done = std::move(run->done);
  run.reset();
  if (!status.ok()) return done(std::move(status));
  done(std::move(results));
}

}  // namespace

Functions::Functions(std::shared_ptr<const FunctionSite> site) : site_(std::move(site)) {}
Functions::~Functions() = default;

absl::StatusOr<DeviceName> Functions::DeviceOf(absl::string_view function,
                                               absl::string_view device) const {
  SLUICE_ASSIGN(DeviceName name, DeviceName::Parse(device));
  name.MergeOver(site_->device_names[0]);
  if (name.task_name() != site_->task) {
    return Unimplemented("function \"", function, "\" is called on ", name.ToString(), " from ",
                         site_->task, ": another task must be stated by the graph");
  }
  const auto& known = site_->device_names;
  if (std::find(known.begin(), known.end(), name) == known.end())
    return InvalidArgument(name.ToString(), " unknown device.");
  return name;
}

absl::StatusOr<std::shared_ptr<const Function>> Functions::Find(const FunctionRef& function,
                                                                absl::string_view device) {
  SLUICE_ASSIGN(const DeviceName name, DeviceOf(function.name, device));
  absl::MutexLock lock(&mu_);
  std::vector<Entry>& entries = made_[function.name];
  for (const Entry& entry : entries) {
    if (entry.device == name && Attr(entry.function) == Attr(function)) return entry.made;
  }
  SLUICE_ASSIGN(auto made, CompiledFunction::Make(site_, function, name));
  entries.push_back({function, name, made});
  return made;
}

std::shared_ptr<const proto::FunctionDefLibrary> Functions::definitions() const {
  return site_->library == nullptr ? nullptr : site_->library->def;
}

absl::StatusOr<std::shared_ptr<const Function>> Functions::Compile(const proto::GraphDef& def,
                                                                   absl::string_view device) {
  SLUICE_ASSIGN(const DeviceName name, DeviceOf("", device));
  SLUICE_ASSIGN(graph::GraphFunction made, graph::FunctionOf(def, *site_->ops));
  auto site = std::make_shared<FunctionSite>(*site_);
  site->library = std::move(made.library);
  site->producer_version = def.versions().producer();
  return CompiledFunction::Make(std::move(site), {made.name, nullptr}, name);
}

}  // namespace sluice::worker
