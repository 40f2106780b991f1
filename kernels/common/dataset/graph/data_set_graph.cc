// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/data_set_graph.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "core/codec/codec.h"
#include "core/runtime/function_caller.h"
#include "kernels/common/string_hash.h"
#include "proto/graph.pb.h"

namespace sluice::kernels {
namespace {

constexpr char kRetval[] = "_Retval", kArg[] = "_Arg", kResultName[] = "dataset";

// Makes the graph of recipes. Each data set becomes one node, however many
// inputs it is.
class Reader {
 public:
  // A pipeline is as deep as the recursion here.
  static constexpr int kMostDepth = 2'000;

  absl::StatusOr<size_t> Add(const DataSet& set, int depth) {
    if (depth > kMostDepth) return ResourceExhausted("a data set has more than ", depth, " stages");
    if (const auto found = index_.find(&set); found != index_.end()) return found->second;
    const Recipe& recipe = *set.recipe();
    DataSetGraph::Node node{recipe.node->name, recipe.node->op, recipe.node->attrs, {}};
    for (const Tensor& input : recipe.inputs) {
      const DataSet* before = DataSetIn(input);
      if (before == nullptr || before->recipe() == nullptr) {
        node.inputs.emplace_back(input);
        continue;
      }
      SLUICE_ASSIGN(const size_t index, Add(*before, depth + 1));
      node.inputs.emplace_back(index);
    }
    auto& functions = graph.functions;
    if (recipe.functions != nullptr &&
        std::find(functions.begin(), functions.end(), recipe.functions) == functions.end())
      functions.push_back(recipe.functions);
    graph.producer_version = std::max(graph.producer_version, recipe.node->producer_version);
    graph.nodes.push_back(std::move(node));
    return index_[&set] = graph.nodes.size() - 1;
  }
  DataSetGraph graph;

 private:
  absl::flat_hash_map<const DataSet*, size_t> index_;
};

// Copies functions with those that they call.
class FunctionCopier {
 public:
  FunctionCopier(const DataSetGraph& from, proto::FunctionDefLibrary* to) : from_(from), to_(to) {}

  void Add(const std::string& name) {
    const proto::FunctionDef* def = from_.FindFunction(name);
    if (def == nullptr || !added_.insert(name).second) return;
    *to_->add_function() = *def;
    for (const proto::NodeDef& node : def->node_def()) {
      Add(node.op());
      for (const auto& [key, value] : node.attr()) Add(value);
    }
    for (const auto& library : from_.functions) {
      for (const proto::GradientDef& gradient : library->gradient()) {
        if (gradient.function_name() != name) continue;
        *to_->add_gradient() = gradient;
        Add(gradient.gradient_func());
      }
    }
  }
  void Add(const proto::AttrValue& value) {
    if (value.has_func()) Add(value.func().name());
    for (const proto::NameAttrList& function : value.list().func()) Add(function.name());
  }

 private:
  const DataSetGraph& from_;
  proto::FunctionDefLibrary* const to_;
  absl::flat_hash_set<std::string> added_;
};

// Writes the nodes. Tensors become constants, or arguments.
class Writer {
 public:
  Writer(const DataSetGraph& graph, proto::GraphDef* def, Element* args)
      : graph_(graph), def_(def), args_(args) {}

  absl::Status Run() {
    SLUICE_ASSIGN(const std::string made, AddNode(graph_.result));
    proto::NodeDef& result = *def_->add_node();
    result.set_name(kResultName);
    result.set_op(kRetval);
    result.add_input(made);
    (*result.mutable_attr())["T"].set_type(proto::DT_VARIANT);
    (*result.mutable_attr())["index"].set_i(0);
    def_->mutable_versions()->set_producer(static_cast<int32_t>(graph_.producer_version));
    FunctionCopier functions(graph_, def_->mutable_library());
    for (const proto::NodeDef& node : def_->node()) {
      for (const auto& [key, value] : node.attr()) functions.Add(value);
    }
    return absl::OkStatus();
  }

 private:
  // As TensorFlow names them.
  std::string NewName(absl::string_view op) {
    for (int i = def_->node_size();; ++i) {
      std::string name = absl::StrCat(op, "/_", i);
      if (used_.insert(name).second) return name;
    }
  }
  // The name of a node, which is added with its inputs before it.
  absl::StatusOr<std::string> AddNode(size_t index) {
    if (const auto found = names_.find(index); found != names_.end()) return found->second;
    const DataSetGraph::Node& node = graph_.nodes[index];
    proto::NodeDef made;
    made.set_op(node.op);
    for (const DataSetGraph::Source& input : node.inputs) {
      const size_t* before = std::get_if<size_t>(&input);
      SLUICE_ASSIGN(std::string name, before != nullptr
                                          ? AddNode(*before)
                                          : AddTensor(std::get<Tensor>(input), node.op));
      made.add_input(std::move(name));
    }
    SLUICE_RETURN_IF_ERROR(EncodeAttrs(node.attrs, made.mutable_attr(), TensorForm::kReadable));
    const bool kept = args_ != nullptr && !node.name.empty() && used_.insert(node.name).second;
    made.set_name(kept ? node.name : NewName(node.op));
    names_[index] = made.name();
    *def_->add_node() = std::move(made);
    return names_[index];
  }
  absl::StatusOr<std::string> AddTensor(const Tensor& tensor, absl::string_view reader) {
    proto::NodeDef made;
    auto& attrs = *made.mutable_attr();
    const auto type = static_cast<proto::DataType>(tensor.dtype());
    if (args_ != nullptr) {
      made.set_op(kArg);
      made.set_name(NewName("Arg"));
      attrs["T"].set_type(type);
      attrs["index"].set_i(static_cast<int64_t>(args_->size()));
      args_->push_back(tensor);
    } else {
      if (tensor.dtype() == kResource || tensor.dtype() == kVariant) {
        return FailedPrecondition("the data set has no graph: an input of ", reader, " is ",
                                  DataSetIn(tensor) != nullptr ? "a data set without a graph"
                                                               : "a resource or an object");
      }
      made.set_op("Const");
      made.set_name(NewName("Const"));
      attrs["dtype"].set_type(type);
      SLUICE_RETURN_IF_ERROR(
          EncodeTensor(tensor, attrs["value"].mutable_tensor(), TensorForm::kReadable));
    }
    std::string name = made.name();
    *def_->add_node() = std::move(made);
    return name;
  }

  const DataSetGraph& graph_;
  proto::GraphDef* const def_;
  Element* const args_;
  absl::flat_hash_map<size_t, std::string> names_;
  absl::flat_hash_set<std::string> used_ = {kResultName};
};

using NewNames = absl::flat_hash_map<std::string, std::string>;

void Rename(const NewNames& names, std::string* name) {
  if (const auto found = names.find(*name); found != names.end()) *name = found->second;
}
void RenameFunctions(const NewNames& names, proto::NodeDef* node) {
  Rename(names, node->mutable_op());
  for (auto& [key, value] : *node->mutable_attr()) {
    if (value.has_func()) Rename(names, value.mutable_func()->mutable_name());
    if (!value.has_list()) continue;
    for (auto& function : *value.mutable_list()->mutable_func())
      Rename(names, function.mutable_name());
  }
}

absl::StatusOr<RefPtr<const DataSet>> RunWithArgs(KernelContext& ctx, const std::string& device,
                                                  const proto::GraphDef& def, Element args) {
  FunctionCaller* functions = ctx.step().functions;
  if (functions == nullptr) return FailedPrecondition("the step runs no functions");
  SLUICE_ASSIGN(const auto function, functions->Compile(def, device));
  Function::Call call;
  call.args = std::move(args);
  call.cancel = &ctx.cancel();
  absl::StatusOr<Element> answer;
  absl::Notification ended;
  function->Start(std::move(call), [&](absl::StatusOr<std::vector<Tensor>> results) {
    answer = std::move(results);
    ended.Notify();
  });
  ended.WaitForNotification();
  SLUICE_RETURN_IF_ERROR(answer.status());
  return DataSetOf(*answer);
}

}  // namespace

absl::StatusOr<DataSetGraph> DataSetGraph::Of(const DataSet& set) {
  if (set.recipe() == nullptr) {
    return FailedPrecondition(
        "the data set has no graph: it is an element of "
        "another, or came from another process");
  }
  Reader reader;
  SLUICE_ASSIGN(reader.graph.result, reader.Add(set, 1));
  return std::move(reader.graph);
}

const proto::FunctionDef* DataSetGraph::FindFunction(absl::string_view name) const {
  for (const auto& library : functions) {
    for (const proto::FunctionDef& def : library->function()) {
      if (def.signature().name() == name) return &def;
    }
  }
  return nullptr;
}

absl::Status DataSetGraph::Write(proto::GraphDef* def) const {
  return Writer(*this, def, nullptr).Run();
}

absl::StatusOr<RefPtr<const DataSet>> DataSetGraph::Run(KernelContext& ctx,
                                                        const std::string& device) const {
  proto::GraphDef def;
  Element args;
  SLUICE_RETURN_IF_ERROR(Writer(*this, &def, &args).Run());
  return RunWithArgs(ctx, device, def, std::move(args));
}

absl::StatusOr<RefPtr<const DataSet>> RunGraph(KernelContext& ctx, const std::string& device,
                                               proto::GraphDef def) {
  bool any = false;
  for (const proto::NodeDef& node : def.node()) {
    if (node.op() == kArg) return InvalidArgument("the graph of a data set has no arguments");
    any |= node.op() == kRetval;
  }
  if (!any) return InvalidArgument("the graph has no _Retval node");
  return RunWithArgs(ctx, device, def, Element());
}

absl::StatusOr<std::string> Serialize(const proto::GraphDef& def) {
  std::string bytes;
  if (!def.SerializeToString(&bytes))
    return ResourceExhausted("the graph of the data set is larger than a message can be");
  return bytes;
}

uint64_t FingerprintOf(proto::GraphDef def) {
  NewNames names;
  for (proto::FunctionDef& function : *def.mutable_library()->mutable_function()) {
    std::string* name = function.mutable_signature()->mutable_name();
    names.emplace(*name, absl::StrCat("function_", names.size()));
    *name = names[*name];
  }
  for (proto::NodeDef& node : *def.mutable_node()) RenameFunctions(names, &node);
  for (proto::FunctionDef& function : *def.mutable_library()->mutable_function()) {
    for (proto::NodeDef& node : *function.mutable_node_def()) RenameFunctions(names, &node);
  }
  std::string text;
  google::protobuf::io::StringOutputStream stream(&text);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  def.SerializeToCodedStream(&coded);
  coded.Trim();
  return FarmFingerprint64(text);
}

}  // namespace sluice::kernels
