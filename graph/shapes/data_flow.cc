// SPDX-License-Identifier: Apache-2.0
// Shapes of queues, accumulators, staging areas, tensor arrays, stacks and batching.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// handle, flow: the handle carries the shape of an element.
absl::Status TensorArrayShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  c.outputs[1] = Shape{};
  SLUICE_ASSIGN(PartialShape element, c.Get<PartialShape>("element_shape"));
  if (GetAttrOr(c.node.attrs, "identical_element_shapes", false) || element.fully_known())
    c.outputs_hold[0] = std::move(element);
  return absl::OkStatus();
}

absl::Status TensorArrayGradShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  c.outputs[1] = Shape{};
  c.outputs_hold[0] = c.held[0];
  return absl::OkStatus();
}

absl::Status TensorArrayReadShape(ShapeContext& c) {
  c.outputs[0] = c.held[0];
  return absl::OkStatus();
}

absl::Status TensorArrayGatherShape(ShapeContext& c) {  // handle, indices, flow; element_shape
  SLUICE_ASSIGN(PartialShape indices, c.OfRank(1, 1));
  PartialShape element = GetAttrOr<PartialShape>(c.node.attrs, "element_shape", PartialShape());
  if (!element.rank_known()) element = c.held[0];
  SLUICE_ASSIGN(c.outputs[0], Concatenated(PartialShape{indices.dim(0)}, element));
  return absl::OkStatus();
}

// Like the ops above, but their handles are strings without a shape.
absl::Status StringArrayShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  return absl::OkStatus();
}
absl::Status StringArrayGradShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  if (c.outputs.size() > 1) c.outputs[1] = Shape{};
  return absl::OkStatus();
}

absl::Status TensorArrayConcatShape(ShapeContext& c) {
  c.outputs[1] = PartialShape{-1};
  return absl::OkStatus();
}

absl::Status StackHandleShape(ShapeContext& c) {
  c.outputs[0] = PartialShape{2};
  return absl::OkStatus();
}

absl::Status QueueHandleShape(ShapeContext& c) {
  for (PartialShape& output : c.outputs)
    output = IsRef(c.node.output_types[0]) ? PartialShape{2} : PartialShape(Shape{});
  return absl::OkStatus();
}

// Input `input`, with any number of rows.
absl::StatusOr<PartialShape> AnyRows(ShapeContext& c, int input) {
  SLUICE_ASSIGN(PartialShape shape, c.OfRankAtLeast(input, 1));
  if (!shape.rank_known()) return shape;
  Shape::Dims dims(shape.dims().begin(), shape.dims().end());
  dims[0] = -1;
  return PartialShape::Create(dims);
}

absl::Status Batched(ShapeContext& c) {  // in_tensors
  const int count = c.num_inputs();
  for (int i = 0; i < count; ++i) {
    SLUICE_ASSIGN(c.outputs[i], AnyRows(c, i));
  }
  SLUICE_RETURN_IF_ERROR(c.Set(count, {-1, 3}));
  return c.Set(count + 1, {});
}

template <int kInput>
absl::Status AnyRowsOf(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], AnyRows(c, kInput));
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"AccumulatorApplyGradient", NoOutputs},
    {"AccumulatorNumAccumulated", AllScalars},
    {"AccumulatorSetGlobalStep", NoOutputs},
    {"AccumulatorTakeGradient", NothingKnown},
    {"Barrier", QueueHandleShape},
    {"BarrierClose", NoOutputs},
    {"BarrierIncompleteSize", AllScalars},
    {"BarrierInsertMany", NoOutputs},
    {"BarrierReadySize", AllScalars},
    {"BarrierTakeMany", NothingKnown},
    {"Batch", Batched},
    {"BatchFunction", NothingKnown},
    {"ConditionalAccumulator", QueueHandleShape},
    {"DeleteSessionTensor", NoOutputs},
    {"FIFOQueue", QueueHandleShape},
    {"FIFOQueueV2", AllScalars},
    {"FakeQueue", QueueHandleShape},
    {"GetSessionHandle", AllScalars},
    {"GetSessionHandleV2", AllScalars},
    {"GetSessionTensor", NothingKnown},
    {"MapClear", NoOutputs},
    {"MapIncompleteSize", AllScalars},
    {"MapPeek", NothingKnown},
    {"MapSize", AllScalars},
    {"MapStage", NoOutputs},
    {"MapUnstage", NothingKnown},
    {"MapUnstageNoKey", NothingKnown},
    {"OrderedMapClear", NoOutputs},
    {"OrderedMapIncompleteSize", AllScalars},
    {"OrderedMapPeek", NothingKnown},
    {"OrderedMapSize", AllScalars},
    {"OrderedMapStage", NoOutputs},
    {"OrderedMapUnstage", NothingKnown},
    {"OrderedMapUnstageNoKey", NothingKnown},
    {"PaddingFIFOQueue", QueueHandleShape},
    {"PaddingFIFOQueueV2", AllScalars},
    {"PriorityQueue", QueueHandleShape},
    {"PriorityQueueV2", AllScalars},
    {"QueueClose", NoOutputs},
    {"QueueCloseV2", NoOutputs},
    {"QueueDequeue", NothingKnown},
    {"QueueDequeueMany", NothingKnown},
    {"QueueDequeueManyV2", NothingKnown},
    {"QueueDequeueUpTo", NothingKnown},
    {"QueueDequeueUpToV2", NothingKnown},
    {"QueueDequeueV2", NothingKnown},
    {"QueueEnqueue", NoOutputs},
    {"QueueEnqueueMany", NoOutputs},
    {"QueueEnqueueManyV2", NoOutputs},
    {"QueueEnqueueV2", NoOutputs},
    {"QueueIsClosed", AllScalars},
    {"QueueIsClosedV2", AllScalars},
    {"QueueSize", AllScalars},
    {"QueueSizeV2", AllScalars},
    {"RandomShuffleQueue", QueueHandleShape},
    {"RandomShuffleQueueV2", AllScalars},
    {"ResourceAccumulatorApplyGradient", NoOutputs},
    {"ResourceAccumulatorNumAccumulated", AllScalars},
    {"ResourceAccumulatorSetGlobalStep", NoOutputs},
    {"ResourceAccumulatorTakeGradient", NothingKnown},
    {"ResourceConditionalAccumulator", AllScalars},
    {"SparseAccumulatorApplyGradient", NoOutputs},
    {"SparseAccumulatorTakeGradient", NothingKnown},
    {"SparseConditionalAccumulator", QueueHandleShape},
    {"Stack", NothingKnown},
    {"StackClose", NoOutputs},
    {"StackCloseV2", NoOutputs},
    {"StackPop", NothingKnown},
    {"StackPopV2", NothingKnown},
    {"StackPush", NothingKnown},
    {"StackPushV2", LikeSecond},
    {"StackV2", StackHandleShape},
    {"Stage", NoOutputs},
    {"StageClear", NoOutputs},
    {"StagePeek", NothingKnown},
    {"StageSize", AllScalars},
    {"TensorArray", NothingKnown},
    {"TensorArrayClose", NoOutputs},
    {"TensorArrayCloseV2", NoOutputs},
    {"TensorArrayCloseV3", NoOutputs},
    {"TensorArrayConcat", NothingKnown},
    {"TensorArrayConcatV2", TensorArrayConcatShape},
    {"TensorArrayConcatV3", TensorArrayConcatShape},
    {"TensorArrayGather", NothingKnown},
    {"TensorArrayGatherV2", NothingKnown},
    {"TensorArrayGatherV3", TensorArrayGatherShape},
    {"TensorArrayGrad", NothingKnown},
    {"TensorArrayGradV2", StringArrayGradShape},
    {"TensorArrayGradV3", TensorArrayGradShape},
    {"TensorArrayGradWithShape", StringArrayGradShape},
    {"TensorArrayPack", NothingKnown},
    {"TensorArrayRead", NothingKnown},
    {"TensorArrayReadV2", NothingKnown},
    {"TensorArrayReadV3", TensorArrayReadShape},
    {"TensorArrayScatter", NothingKnown},
    {"TensorArrayScatterV2", AllScalars},
    {"TensorArrayScatterV3", AllScalars},
    {"TensorArraySize", NothingKnown},
    {"TensorArraySizeV2", AllScalars},
    {"TensorArraySizeV3", AllScalars},
    {"TensorArraySplit", NothingKnown},
    {"TensorArraySplitV2", AllScalars},
    {"TensorArraySplitV3", AllScalars},
    {"TensorArrayUnpack", NothingKnown},
    {"TensorArrayV2", StringArrayShape},
    {"TensorArrayV3", TensorArrayShape},
    {"TensorArrayWrite", NothingKnown},
    {"TensorArrayWriteV2", AllScalars},
    {"TensorArrayWriteV3", AllScalars},
    {"Unbatch", AnyRowsOf<0>},
    {"UnbatchGrad", AnyRowsOf<2>},
    {"Unstage", NothingKnown},
};

}  // namespace

absl::Span<const ShapeRule> DataFlowRules() { return kRules; }

}  // namespace sluice::graph
