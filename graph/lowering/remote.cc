// SPDX-License-Identifier: Apache-2.0
#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "core/device_name.h"
#include "core/status.h"
#include "graph/infer_attrs.h"
#include "graph/lowering/lowering.h"

namespace sluice::graph {

bool Lowering::StatesTarget(const Node& node) {
  const Edge* edge = node.input(0);
  return edge != nullptr && edge->src->kind() == OpKind::kConst;
}

// A constant target is a device request like any other. Returns false if the node stays: if the
// target is not a device, the error is of the step that runs the call, not of the graph.
absl::StatusOr<bool> Lowering::AimRemoteCall(Node& node) const {
  if (!StatesTarget(node)) return !options_.tasks.empty();
  SLUICE_ASSIGN(const Tensor target, GetAttr<Tensor>(node.input(0)->src->attrs, "value"));
  if (target.dtype() != kString || target.num_elements() != 1)
    return InvalidArgument("the target must be a string scalar");
  const std::string& text = target.flat<std::string>()[0];
  auto asked = DeviceName::Parse(text);
  // The call is on the caller's task unless the target names another.
  if (auto caller = DeviceName::Parse(node.requested_device); asked.ok() && caller.ok()) {
    caller->type.reset();
    caller->id.reset();
    asked->MergeOver(*caller);
  }
  const auto is = [&](const DeviceName& device) { return asked->Matches(device); };
  if (!asked.ok() || (!options_.devices.empty() && absl::c_none_of(options_.devices, is))) {
    node.attrs["_tasks"] = options_.tasks;
    return false;
  }
  node.requested_device = MergeDevices(text, node.requested_device);
  return true;
}

// Adds a call on every task. The arguments go to the task that the target names.
//
//   target, args -> _SwitchN -> RemoteCall on task 0 -> Merge -> outputs
//                            \\-> RemoteCall on task 1 -/
absl::StatusOr<Replacement> Lowering::CallOnOneTask(const Work& work) {
  const Node& node = *work.node;
  const int n = static_cast<int>(options_.tasks.size());
  SLUICE_ASSIGN(const std::vector<Output> inputs, Inputs(node));
  AttrMap asks = {{"Tin", std::vector<DType>{kString}}, {"Tout", std::vector<DType>{kInt32}}};
  asks["f"] = node.attrs.at("f");
  asks["_tasks"] = options_.tasks;
  asks["_asks_task"] = true;  // it only asks which task the target names
  SLUICE_ASSIGN(Node * which,
                Add(node, "which", "RemoteCall", {inputs[0], inputs[0]}, std::move(asks)));
  std::vector<std::vector<Output>> args(n);
  for (const Output& input : inputs) {
    SLUICE_ASSIGN(Node * split, Add(node, "switch", "_SwitchN", {input, Output{which, 0}},
                                    {{"num_outs", Attr(n)}}));
    for (int i = 0; i < n; ++i) args[i].push_back({split, i});
  }
  std::vector<Node*> calls;
  std::vector<Output> ends;
  for (int i = 0; i < n; ++i) {
    SLUICE_ASSIGN(Node * call,
                  AddNode(graph_, "RemoteCall", args[i], node.attrs,
                          {absl::StrCat(node.name(), ">task_", i), options_.tasks[i]}));
    SLUICE_ASSIGN(Node * end, Add(node, "end", "Identity", {args[i][0]}));
    graph_.AddControlEdge(call, end);
    calls.push_back(call);
    ends.push_back({end, 0});
  }
  Replacement replacement;
  for (int k = 0; k < node.num_outputs(); ++k) {
    std::vector<Output> values;
    values.reserve(calls.size());
    for (Node* call : calls) values.push_back({call, k});
    SLUICE_ASSIGN(Node * merge, Add(node, "merge", "Merge", values));
    replacement.outputs.push_back({merge, 0});
    replacement.own.push_back(true);
  }
  SLUICE_ASSIGN(Node * done, Add(node, "ended", "Merge", ends));
  replacement.done.push_back(done);
  return replacement;
}

}  // namespace sluice::graph
