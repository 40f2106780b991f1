// Shapes of control flow, and of what is only written down (summaries, assertions, checkpoints).
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// An iteration may change a shape: whoever infers the shapes of a loop looks at its NextIteration
// (shape_inference.cc).
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

// Scalars are joined to every element.
absl::Status StringJoinShape(ShapeContext& c) {
  PartialShape shape = Shape{};
  for (const PartialShape& input : c.inputs) {
    if (!input.rank_known()) shape = PartialShape();
    if (input.rank() <= 0) continue;
    if (shape.rank() > 0 && !shape.CompatibleWith(input)) {
      return InvalidArgument("inputs have shapes ", shape, " and ", input,
                             "; they must be equal, or scalars");
    }
    if (shape.rank_known()) shape = input;
  }
  c.outputs[0] = std::move(shape);
  return absl::OkStatus();
}

// What the program states; nothing when it does not.
absl::Status StatedOutputs(ShapeContext& c) {
  const auto shapes = GetAttrOr<std::vector<PartialShape>>(c.node.attrs, "output_shapes", {});
  for (size_t i = 0; i < std::min(shapes.size(), c.outputs.size()); ++i) c.outputs[i] = shapes[i];
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"Abort", NoOutputs},
    {"Assert", NoOutputs},
    {"AudioSummary", AllScalars},
    {"AudioSummaryV2", AllScalars},
    {"Case", StatedOutputs},
    {"ControlTrigger", NoOutputs},
    {"Enter", SwitchShape},
    {"Exit", SwitchShape},
    {"For", NothingKnown},
    {"HistogramSummary", AllScalars},
    {"If", StatedOutputs},
    {"ImageSummary", AllScalars},
    {"LoopCond", Unchanged},
    {"Merge", MergeShape},
    {"MergeSummary", AllScalars},
    {"MergeV2Checkpoints", NoOutputs},
    {"NextIteration", SwitchShape},
    {"NoOp", NoOutputs},
    {"PartitionedCall", NothingKnown},
    {"Print", Unchanged},
    {"PrintV2", NoOutputs},
    {"RefEnter", SwitchShape},
    {"RefExit", SwitchShape},
    {"RefMerge", MergeShape},
    {"RefNextIteration", SwitchShape},
    {"RefSelect", RefSelectShape},
    {"RefSwitch", SwitchShape},
    {"SaveSlices", NoOutputs},
    {"SaveV2", NoOutputs},
    {"ScalarSummary", AllScalars},
    {"ShardedFilename", AllScalars},
    {"ShardedFilespec", AllScalars},
    {"StatefulPartitionedCall", NothingKnown},
    {"StatelessCase", StatedOutputs},
    {"StatelessIf", StatedOutputs},
    {"StatelessWhile", StatedOutputs},
    {"StaticRegexFullMatch", Unchanged},
    {"StringJoin", StringJoinShape},
    {"Switch", SwitchShape},
    {"TensorSummary", AllScalars},
    {"TensorSummaryV2", AllScalars},
    {"Timestamp", AllScalars},
    {"While", StatedOutputs},
    {"_SwitchN", SwitchShape},
};

}  // namespace

absl::Span<const ShapeRule> FlowRules() { return kRules; }

}  // namespace sluice::graph
