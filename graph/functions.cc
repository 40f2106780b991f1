// SPDX-License-Identifier: Apache-2.0
#include "graph/functions.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/hash/hash.h"
#include "core/codec/codec.h"
#include "core/status.h"
#include "graph/graph.h"
#include "proto/function.pb.h"

namespace sluice::graph {
namespace {

// The hash of the bytes with maps in sorted order, so that equal definitions agree.
uint64_t Fingerprint(const proto::FunctionDef& def) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    def.SerializeToCodedStream(&coded);
  }
  return absl::HashOf(bytes);
}

ArgDef DecodeArg(const proto::OpDef::ArgDef& from) {
  return {.name = from.name(),
          .type = static_cast<DType>(from.type()),
          .type_attr = from.type_attr(),
          .number_attr = from.number_attr(),
          .type_list_attr = from.type_list_attr(),
          .is_ref = from.is_ref()};
}

absl::StatusOr<AttrDef> DecodeAttrDef(const proto::OpDef::AttrDef& from) {
  AttrDef attr;
  attr.name = from.name();
  const auto type = AttrType::Parse(from.type());
  if (!type)
    return InvalidArgument("attribute \"", from.name(), "\" has the unknown type \"", from.type(),
                           "\"");
  attr.type = *type;
  if (from.has_minimum()) attr.minimum = from.minimum();
  for (int allowed : from.allowed_values().list().type())
    attr.allowed_types.push_back(static_cast<DType>(allowed));
  for (const std::string& allowed : from.allowed_values().list().s())
    attr.allowed_strings.push_back(allowed);
  if (from.has_default_value()) {
    SLUICE_ASSIGN(attr.default_value, DecodeAttr(from.default_value()));
  }
  return attr;
}

absl::StatusOr<OpDef> DecodeSignature(const proto::OpDef& from) {
  OpDef op;
  op.name = from.name();
  for (const auto& arg : from.input_arg()) op.inputs.push_back(DecodeArg(arg));
  for (const auto& arg : from.output_arg()) op.outputs.push_back(DecodeArg(arg));
  for (const auto& attr : from.attr()) {
    SLUICE_ASSIGN(AttrDef def, DecodeAttrDef(attr));
    op.attrs.push_back(std::move(def));
  }
  op.stateful = from.is_stateful();
  return op;
}

// The functions that a value names. The wire format limits the nesting of values.
void Collect(const proto::AttrValue& value, absl::flat_hash_set<std::string>& names) {
  std::vector<const proto::NameAttrList*> open;
  auto add = [&](const proto::AttrValue& v) {
    if (v.has_func()) open.push_back(&v.func());
    for (const proto::NameAttrList& func : v.list().func()) open.push_back(&func);
  };
  add(value);
  while (!open.empty()) {
    const proto::NameAttrList* func = open.back();
    open.pop_back();
    names.insert(func->name());
    for (const auto& [name, nested] : func->attr()) add(nested);
  }
}

// The same for a node's decoded attributes.
void Collect(const FunctionRef& function, absl::flat_hash_set<std::string>& names) {
  names.insert(function.name);
  if (function.attrs == nullptr) return;
  for (const auto& [name, attr] : *function.attrs) {
    if (const auto* one = attr.get_if<FunctionRef>()) Collect(*one, names);
    if (const auto* many = attr.get_if<std::vector<FunctionRef>>()) {
      for (const FunctionRef& nested : *many) Collect(nested, names);
    }
  }
}

std::vector<std::string> Callees(const proto::FunctionDef& def) {
  absl::flat_hash_set<std::string> names;
  for (const proto::NodeDef& node : def.node_def()) {
    names.insert(node.op());
    for (const auto& [name, value] : node.attr()) Collect(value, names);
  }
  return {names.begin(), names.end()};
}

// Kahn's order over the calls, callees first, which also gives each function's depth.
absl::Status CheckCalls(const FunctionLibrary& library) {
  const int n = library.def->function_size();
  absl::flat_hash_map<absl::string_view, int> index;
  for (int i = 0; i < n; ++i) index.emplace(library.def->function(i).signature().name(), i);
  std::vector<std::vector<int>> callers(n);
  std::vector<int> waits(n, 0), depth(n, 1), ready;
  for (int i = 0; i < n; ++i) {
    const std::string& caller = library.def->function(i).signature().name();
    for (const std::string& name : library.functions.at(caller).callees) {
      auto callee = index.find(name);
      if (callee == index.end()) continue;
      callers[callee->second].push_back(i);
      ++waits[i];
    }
    if (waits[i] == 0) ready.push_back(i);
  }
  for (size_t next = 0; next < ready.size(); ++next) {
    const int callee = ready[next];
    if (depth[callee] > kMaxCallDepth) {
      return InvalidArgument("function \"", library.def->function(callee).signature().name(),
                             "\" calls others more than ", kMaxCallDepth, " deep");
    }
    for (int caller : callers[callee]) {
      depth[caller] = std::max(depth[caller], depth[callee] + 1);
      if (--waits[caller] == 0) ready.push_back(caller);
    }
  }
  for (int i = 0; i < n; ++i) {
    if (waits[i] == 0) continue;
    return InvalidArgument("function \"", library.def->function(i).signature().name(),
                           "\" calls itself, directly or through others");
  }
  return absl::OkStatus();
}

// True if `added` has nothing new: clients send their whole library with each extension.
bool Knows(const FunctionLibrary& library, const proto::FunctionDefLibrary& added) {
  for (const proto::FunctionDef& function : added.function()) {
    auto it = library.functions.find(function.signature().name());
    if (it == library.functions.end() || it->second.fingerprint != Fingerprint(function))
      return false;
  }
  for (const proto::GradientDef& gradient : added.gradient()) {
    auto it = library.gradients.find(gradient.function_name());
    if (it == library.gradients.end() || it->second != gradient.gradient_func()) return false;
  }
  return added.registered_gradients_size() == 0 || library.def->registered_gradients_size() != 0;
}

}  // namespace

absl::StatusOr<std::shared_ptr<const FunctionLibrary>> ExtendLibrary(
    std::shared_ptr<const FunctionLibrary> old, const proto::FunctionDefLibrary& added) {
  if (added.function_size() == 0 && added.gradient_size() == 0 &&
      added.registered_gradients_size() == 0)
    return old;
  if (old != nullptr && Knows(*old, added)) return old;
  auto library = std::make_shared<FunctionLibrary>();
  auto def = std::make_shared<proto::FunctionDefLibrary>();
  if (old != nullptr) {
    library->functions = old->functions;
    library->gradients = old->gradients;
    *def = *old->def;
  }
  for (const proto::FunctionDef& function : added.function()) {
    const std::string& name = function.signature().name();
    if (name.empty()) return InvalidArgument("a function of the library has no name");
    const uint64_t fingerprint = Fingerprint(function);
    auto [it, fresh] = library->functions.try_emplace(name);
    if (!fresh) {
      if (it->second.fingerprint == fingerprint) continue;
      return InvalidArgument("function \"", name, "\" is there already with another definition");
    }
    it->second.fingerprint = fingerprint;
    auto signature = DecodeSignature(function.signature());
    if (!signature.ok()) return Annotate(signature.status(), Cat("function \"", name, "\""));
    it->second.signature = *std::move(signature);
    it->second.callees = Callees(function);
    it->second.index = def->function_size();
    *def->add_function() = function;
  }
  for (const proto::GradientDef& gradient : added.gradient()) {
    auto [it, fresh] =
        library->gradients.try_emplace(gradient.function_name(), gradient.gradient_func());
    if (fresh) {
      *def->add_gradient() = gradient;
    } else if (it->second != gradient.gradient_func()) {
      return InvalidArgument("function \"", gradient.function_name(),
                             "\" has another gradient already");
    }
  }
  if (def->registered_gradients_size() == 0 && added.registered_gradients_size() != 0) {
    *def->mutable_registered_gradients() = added.registered_gradients();
  }
  library->def = std::move(def);
  SLUICE_RETURN_IF_ERROR(CheckCalls(*library));
  return library;
}

const proto::FunctionDef& FunctionLibrary::Definition(const Entry& entry) const {
  return def->function(entry.index);
}

void AddReachable(const Graph& graph, proto::FunctionDefLibrary* def) {
  if (graph.library == nullptr) return;
  const FunctionLibrary& library = *graph.library;
  absl::flat_hash_set<std::string> named;
  for (const Node* node : graph.nodes()) {
    if (node->op_def() == nullptr) named.insert(node->op());
    for (const auto& [name, attr] : node->attrs) {
      if (const auto* one = attr.get_if<FunctionRef>()) Collect(*one, named);
      if (const auto* many = attr.get_if<std::vector<FunctionRef>>()) {
        for (const FunctionRef& function : *many) Collect(function, named);
      }
    }
  }
  std::vector<int> reached;
  absl::flat_hash_set<int> seen;
  auto reach = [&](const std::string& name) {
    auto it = library.functions.find(name);
    if (it != library.functions.end() && seen.insert(it->second.index).second)
      reached.push_back(it->second.index);
  };
  for (const std::string& name : named) reach(name);
  for (size_t next = 0; next < reached.size(); ++next) {
    const std::string& name = library.def->function(reached[next]).signature().name();
    for (const std::string& callee : library.functions.at(name).callees) reach(callee);
    if (auto it = library.gradients.find(name); it != library.gradients.end()) reach(it->second);
  }
  std::sort(reached.begin(), reached.end());
  for (int index : reached) {
    const proto::FunctionDef& function = library.def->function(index);
    *def->add_function() = function;
    auto gradient = library.gradients.find(function.signature().name());
    if (gradient == library.gradients.end()) continue;
    proto::GradientDef& added = *def->add_gradient();
    added.set_function_name(gradient->first);
    added.set_gradient_func(gradient->second);
  }
}

}  // namespace sluice::graph
