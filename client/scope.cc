// SPDX-License-Identifier: Apache-2.0
#include "client/scope.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace sluice::client {

Scope::Scope(Graph* graph) : graph_(graph), status_(std::make_shared<absl::Status>()) {}

Scope Scope::In(absl::string_view name) const {
  Scope scope = *this;
  absl::StrAppend(&scope.prefix_, name, "/");
  scope.name_.clear();
  return scope;
}

Scope Scope::Named(absl::string_view name) const {
  Scope scope = *this;
  scope.name_ = std::string(name);
  return scope;
}

Scope Scope::On(absl::string_view device) const {
  Scope scope = *this;
  scope.device_ = std::string(device);
  return scope;
}

Scope Scope::After(const std::vector<graph::Node*>& control_inputs) const {
  Scope scope = *this;
  for (graph::Node* node : control_inputs) {
    if (node != nullptr) scope.control_inputs_.push_back(node);
  }
  return scope;
}

Output Constant(const Scope& scope, const Tensor& value) {
  NewNode node(scope, "Const");
  node.Set("dtype", value.dtype());
  node.Set("value", value);
  node.Add();
  return node.Single(0);
}

void NewNode::Input(const Output& input) {
  input_missing_ |= !input;
  inputs_.push_back(input);
}
void NewNode::Input(const std::vector<Output>& inputs) {
  for (const Output& input : inputs) Input(input);
}

template <typename T>
void NewNode::Set(absl::string_view name, const T& value) {
  attrs_[std::string(name)] = value;
}
template void NewNode::Set(absl::string_view, const bool&);
template void NewNode::Set(absl::string_view, const int64_t&);
template void NewNode::Set(absl::string_view, const float&);
template void NewNode::Set(absl::string_view, const DType&);
template void NewNode::Set(absl::string_view, const std::string&);
template void NewNode::Set(absl::string_view, const PartialShape&);
template void NewNode::Set(absl::string_view, const Tensor&);
template void NewNode::Set(absl::string_view, const FunctionRef&);
template void NewNode::Set(absl::string_view, const std::vector<bool>&);
template void NewNode::Set(absl::string_view, const std::vector<int64_t>&);
template void NewNode::Set(absl::string_view, const std::vector<float>&);
template void NewNode::Set(absl::string_view, const std::vector<DType>&);
template void NewNode::Set(absl::string_view, const std::vector<std::string>&);
template void NewNode::Set(absl::string_view, const std::vector<PartialShape>&);
template void NewNode::Set(absl::string_view, const std::vector<Tensor>&);
template void NewNode::Set(absl::string_view, const std::vector<FunctionRef>&);

graph::Node* NewNode::Add() {
  absl::Status& status = *scope_.status_;
  if (!status.ok()) return nullptr;
  if (input_missing_) {
    status = InvalidArgument("op ", op_, " in scope \"", scope_.prefix_,
                             "\" is given an input without a tensor");
    return nullptr;
  }
  Graph::NodeOptions options;
  options.name = absl::StrCat(scope_.prefix_, scope_.name_.empty() ? op_ : scope_.name_);
  options.device = scope_.device_;
  options.control_inputs = scope_.control_inputs_;
  auto node = scope_.graph().AddNode(op_, inputs_, std::move(attrs_), options);
  if (!node.ok()) {
    status = node.status();
    return nullptr;
  }
  ArgTypes inputs;
  status = ResolveArgs(*(*node)->op_def(), (*node)->attrs, &inputs, &outputs_);
  if (status.ok()) node_ = *node;
  return node_;
}

client::Output NewNode::Single(int i) const {
  return node_ == nullptr ? client::Output{} : client::Output{node_, outputs_.ranges[i].begin};
}

std::vector<client::Output> NewNode::List(int i) const {
  std::vector<client::Output> list;
  if (node_ == nullptr) return list;
  for (int k = outputs_.ranges[i].begin; k < outputs_.ranges[i].end; ++k) {
    list.push_back({node_, k});
  }
  return list;
}

}  // namespace sluice::client
