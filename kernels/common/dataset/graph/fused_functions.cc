// SPDX-License-Identifier: Apache-2.0
#include "kernels/common/dataset/graph/fused_functions.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/codec/codec.h"
#include "proto/function.pb.h"

namespace sluice::kernels {
namespace {

using Names = std::vector<std::string>;  // of tensors in a body
using Arg = proto::OpDef::ArgDef;
using Args = google::protobuf::RepeatedPtrField<Arg>;

// Whether each argument is one tensor of a fixed type.
bool ArePlain(const Args& args) {
  return std::all_of(args.begin(), args.end(), [](const Arg& arg) {
    return arg.type() != proto::DT_INVALID && arg.number_attr().empty() && !arg.is_ref();
  });
}

// Whether `args` begin with the first `count` of `values`.
bool BeginWith(const Args& args, const Args& values, int count) {
  return args.size() >= count && values.size() >= count &&
         std::equal(args.begin(), args.begin() + count, values.begin(),
                    [](const Arg& a, const Arg& b) { return a.type() == b.type(); });
}

bool IsPredicate(const proto::OpDef& signature) {
  return signature.output_arg_size() == 1 && signature.output_arg(0).type() == proto::DT_BOOL;
}

}  // namespace

// Writes one function. The client's functions are called by PartitionedCall, because their names
// need not be those of ops.
class FusedFunctions::Writer {
 public:
  explicit Writer(std::string name) { def_.mutable_signature()->set_name(std::move(name)); }

  std::string AddArg(proto::DataType type) {
    auto& arg = *def_.mutable_signature()->add_input_arg();
    arg.set_name(absl::StrCat("arg", def_.signature().input_arg_size()));
    arg.set_type(type);
    return arg.name();
  }
  // Results of the types of `like`.
  void AddResults(const Args& like, const Names& values) {
    for (int i = 0; i < like.size(); ++i) {
      auto& result = *def_.mutable_signature()->add_output_arg();
      result.set_name(absl::StrCat("result", def_.signature().output_arg_size()));
      result.set_type(like[i].type());
      (*def_.mutable_ret())[result.name()] = values[static_cast<size_t>(i)];
    }
  }
  proto::NodeDef& AddNode(const std::string& op, const Names& inputs) {
    proto::NodeDef& node = *def_.add_node_def();
    node.set_name(absl::StrCat("node", def_.node_def_size()));
    node.set_op(op);
    for (const std::string& input : inputs) node.add_input(input);
    return node;
  }
  // A node that calls a function of this signature with `inputs`. Its results.
  Names AddCall(const FunctionRef& function, const proto::OpDef& signature, const Names& inputs) {
    proto::NodeDef& node = AddNode("PartitionedCall", inputs);
    auto& attrs = *node.mutable_attr();
    SetFunction(function, attrs["f"]);
    attrs["Tin"].mutable_list();
    for (const auto& arg : signature.input_arg()) attrs["Tin"].mutable_list()->add_type(arg.type());
    Names results;
    for (const auto& result : signature.output_arg()) {
      attrs["Tout"].mutable_list()->add_type(result.type());
      results.push_back(absl::StrCat(node.name(), ":output:", results.size()));
    }
    return results;
  }
  // A scalar false.
  std::string AddFalse() {
    proto::TensorProto& value = AddConst(proto::DT_BOOL);
    value.mutable_tensor_shape();
    value.add_bool_val(false);
    return LastOutput();
  }
  // `value`, which must be one bool of any shape, as a scalar.
  std::string AddScalar(const std::string& value) {
    proto::TensorProto& shape = AddConst(proto::DT_INT32);
    shape.mutable_tensor_shape()->add_dim()->set_size(0);
    (*AddNode("Reshape", {value, LastOutput()}).mutable_attr())["T"].set_type(proto::DT_BOOL);
    return LastOutput();
  }
  // What `then` or `otherwise` returns, a bool.
  std::string AddIf(const std::string& condition, const FunctionRef& then,
                    const FunctionRef& otherwise, const proto::OpDef& signature, Names inputs) {
    inputs.insert(inputs.begin(), condition);
    auto& attrs = *AddNode("StatelessIf", inputs).mutable_attr();
    attrs["Tcond"].set_type(proto::DT_BOOL);
    for (const auto& arg : signature.input_arg()) attrs["Tin"].mutable_list()->add_type(arg.type());
    attrs["Tin"].mutable_list();
    attrs["Tout"].mutable_list()->add_type(proto::DT_BOOL);
    SetFunction(then, attrs["then_branch"]);
    SetFunction(otherwise, attrs["else_branch"]);
    return absl::StrCat(LastOutput(), ":0");
  }
  static void SetFunction(const FunctionRef& function, proto::AttrValue& attr) {
    attr.mutable_func()->set_name(function.name);
    if (function.attrs == nullptr) return;
    // Attributes of functions are those that the graph itself writes.
    (void)EncodeAttrs(*function.attrs, attr.mutable_func()->mutable_attr());
  }
  const std::string& name() const { return def_.signature().name(); }
  proto::FunctionDef Take() { return std::move(def_); }

 private:
  proto::TensorProto& AddConst(proto::DataType type) {
    auto& attrs = *AddNode("Const", {}).mutable_attr();
    attrs["dtype"].set_type(type);
    attrs["value"].mutable_tensor()->set_dtype(type);
    return *attrs["value"].mutable_tensor();
  }
  std::string LastOutput() const {
    return absl::StrCat(def_.node_def(def_.node_def_size() - 1).name(), ":output");
  }

  proto::FunctionDef def_;
};

const proto::OpDef* FusedFunctions::Fusible(const FunctionRef& function) const {
  const proto::FunctionDef* def = graph_.FindFunction(function.name);
  if (def == nullptr) return nullptr;
  const proto::OpDef& signature = def->signature();
  const bool fits = !signature.is_stateful() && signature.attr().empty() &&
                    ArePlain(signature.input_arg()) && ArePlain(signature.output_arg());
  return fits ? &signature : nullptr;
}

std::string FusedFunctions::FreeName() const {
  for (int i = 0;; ++i) {
    std::string name = absl::StrCat("fused_", i);
    if (graph_.FindFunction(name) == nullptr) return name;
  }
}

FunctionRef FusedFunctions::Add(std::vector<proto::FunctionDef> made) {
  FunctionRef added{made[0].signature().name(), nullptr};
  auto library = std::make_shared<proto::FunctionDefLibrary>();
  for (proto::FunctionDef& def : made) *library->add_function() = std::move(def);
  graph_.functions.push_back(std::move(library));
  return added;
}

std::optional<FunctionRef> FusedFunctions::Chain(const FunctionRef& first,
                                                 const FunctionRef& second) {
  return Fuse(first, second, /*keep=*/false);
}

std::optional<FunctionRef> FusedFunctions::ChainAndKeep(const FunctionRef& first,
                                                        const FunctionRef& predicate) {
  return Fuse(first, predicate, /*keep=*/true);
}

std::optional<FunctionRef> FusedFunctions::Fuse(const FunctionRef& first, const FunctionRef& second,
                                                bool keep) {
  const proto::OpDef* one = Fusible(first);
  const proto::OpDef* other = Fusible(second);
  if (one == nullptr || other == nullptr) return std::nullopt;
  const int passed = one->output_arg_size();
  if (!BeginWith(other->input_arg(), one->output_arg(), passed)) return std::nullopt;
  if (keep && !IsPredicate(*other)) return std::nullopt;
  Writer writer(FreeName());
  Names args;
  for (const Arg& arg : one->input_arg()) args.push_back(writer.AddArg(arg.type()));
  Names values = writer.AddCall(first, *one, args);
  args = values;
  for (int i = passed; i < other->input_arg_size(); ++i)
    args.push_back(writer.AddArg(other->input_arg(i).type()));
  const Names results = writer.AddCall(second, *other, args);
  if (keep) writer.AddResults(one->output_arg(), values);
  writer.AddResults(other->output_arg(), results);
  return Add({writer.Take()});
}

std::optional<FunctionRef> FusedFunctions::Both(const FunctionRef& first, size_t captures,
                                                const FunctionRef& second) {
  const proto::OpDef* one = Fusible(first);
  const proto::OpDef* other = Fusible(second);
  if (one == nullptr || other == nullptr) return std::nullopt;
  const int parts = one->input_arg_size() - static_cast<int>(captures);
  if (parts < 0 || !BeginWith(other->input_arg(), one->input_arg(), parts)) return std::nullopt;
  if (!IsPredicate(*one) || !IsPredicate(*other)) return std::nullopt;

  const std::string name = FreeName();
  // Is called if the first predicate does not hold; has the signature of the second one.
  Writer never(absl::StrCat(name, "_never"));
  Writer writer(name);
  Names args;
  for (const Arg& arg : one->input_arg()) args.push_back(writer.AddArg(arg.type()));
  Names second_args(args.begin(), args.begin() + parts);
  for (int i = 0; i < other->input_arg_size(); ++i) {
    never.AddArg(other->input_arg(i).type());
    if (i >= parts) second_args.push_back(writer.AddArg(other->input_arg(i).type()));
  }
  never.AddResults(other->output_arg(), {never.AddFalse()});
  // A predicate that does not return one bool fails, as it would by itself.
  const std::string holds = writer.AddScalar(writer.AddCall(first, *one, args)[0]);
  writer.AddResults(other->output_arg(), {writer.AddIf(holds, second, {never.name(), nullptr},
                                                       *other, std::move(second_args))});
  return Add({writer.Take(), never.Take()});
}

}  // namespace sluice::kernels
