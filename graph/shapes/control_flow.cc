// SPDX-License-Identifier: Apache-2.0
// Shapes of Switch, Merge and the frames of loops.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// An iteration may change a shape. shape_inference.cc handles NextIteration when it infers the
// shapes of a loop.
absl::Status MergeShape(ShapeContext& c) {
  PartialShape merged = c.inputs[0], held = c.held[0];
  for (int i = 1; i < c.num_inputs(); ++i) {
    merged = Common(merged, c.inputs[i]);
    held = Common(held, c.held[i]);
  }
  c.outputs[0] = std::move(merged);
  c.outputs_hold[0] = std::move(held);
  if (c.outputs.size() > 1) c.outputs[1] = Shape{};
  return absl::OkStatus();
}

absl::Status SwitchShape(ShapeContext& c) {
  for (size_t i = 0; i < c.outputs.size(); ++i) {
    c.outputs[i] = c.inputs[0];
    c.outputs_hold[i] = c.held[0];
  }
  return absl::OkStatus();
}

absl::Status RefSelectShape(ShapeContext& c) {  // index, inputs
  PartialShape merged = c.inputs[1];
  for (int i = 2; i < c.num_inputs(); ++i) merged = Common(merged, c.inputs[i]);
  c.outputs[0] = std::move(merged);
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"Abort", NoOutputs},           {"ControlTrigger", NoOutputs},
    {"Enter", SwitchShape},         {"Exit", SwitchShape},
    {"LoopCond", Unchanged},        {"Merge", MergeShape},
    {"NextIteration", SwitchShape}, {"NoOp", NoOutputs},
    {"RefEnter", SwitchShape},      {"RefExit", SwitchShape},
    {"RefMerge", MergeShape},       {"RefNextIteration", SwitchShape},
    {"RefSelect", RefSelectShape},  {"RefSwitch", SwitchShape},
    {"Switch", SwitchShape},        {"_SwitchN", SwitchShape},
};

}  // namespace

absl::Span<const ShapeRule> ControlFlowRules() { return kRules; }

}  // namespace sluice::graph
