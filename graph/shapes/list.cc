// SPDX-License-Identifier: Apache-2.0
// Shapes of lists: the handle of a list carries the shape of an element.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The element shape that input `i` gives, merged with that of the list. If they disagree, nothing
// is known: the kernel reports it.
PartialShape Element(const ShapeContext& c, int i) {
  const auto stated = c.StatedBy(i);
  if (!stated.ok()) return c.held[0];
  auto merged = stated->MergeWith(c.held[0]);
  return merged.ok() ? *std::move(merged) : PartialShape();
}

PartialShape Tail(const PartialShape& shape) {
  return shape.rank() < 1 ? PartialShape() : SubShape(shape, 1, shape.rank());
}

template <int kStated>
absl::Status NewList(ShapeContext& c) {
  c.outputs[0] = Shape{};
  if (auto stated = c.StatedBy(kStated); stated.ok()) c.outputs_hold[0] = *std::move(stated);
  return absl::OkStatus();
}

absl::Status ChangedList(ShapeContext& c) {
  c.outputs[0] = c.inputs[0];
  c.outputs_hold[0] = c.held[0];
  return absl::OkStatus();
}

absl::Status PopBackShape(ShapeContext& c) {
  c.outputs[1] = Element(c, 1);
  return ChangedList(c);
}

absl::Status GetItemShape(ShapeContext& c) {
  c.outputs[0] = Element(c, 2);
  return absl::OkStatus();
}

absl::Status StackShape(ShapeContext& c) {
  const int64_t count = GetAttrOr<int64_t>(c.node.attrs, "num_elements", -1);
  SLUICE_ASSIGN(const PartialShape first, PartialShape::Create({count}));
  SLUICE_ASSIGN(c.outputs[0], Concatenated(first, Element(c, 1)));
  return absl::OkStatus();
}

absl::Status GatherShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], Concatenated(c.inputs[1], Element(c, 2)));
  return absl::OkStatus();
}

absl::Status ConcatShape(ShapeContext& c) {
  const PartialShape element =
      c.num_inputs() > 1 ? Element(c, 1) : GetAttrOr(c.node.attrs, "element_shape", PartialShape());
  SLUICE_ASSIGN(c.outputs[0], Concatenated(PartialShape{-1}, Tail(element)));
  c.outputs[1] = PartialShape{-1};
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"EmptyTensorList", NewList<0>},
    {"EmptyTensorMap", AllScalars},
    {"TensorListConcat", ConcatShape},
    {"TensorListConcatLists", ChangedList},
    {"TensorListConcatV2", ConcatShape},
    {"TensorListElementShape", [](ShapeContext& c) { return c.Set(0, {-1}); }},
    {"TensorListFromTensor", NewList<1>},
    {"TensorListGather", GatherShape},
    {"TensorListGetItem", GetItemShape},
    {"TensorListLength", AllScalars},
    {"TensorListPopBack", PopBackShape},
    {"TensorListPushBack", ChangedList},
    {"TensorListPushBackBatch", ChangedList},
    {"TensorListReserve", NewList<0>},
    {"TensorListResize", ChangedList},
    {"TensorListScatter", NewList<2>},
    {"TensorListScatterIntoExistingList", ChangedList},
    {"TensorListScatterV2", NewList<2>},
    {"TensorListSetItem", ChangedList},
    {"TensorListSplit", NewList<1>},
    {"TensorListStack", StackShape},
    {"TensorMapErase", AllScalars},
    {"TensorMapHasKey", AllScalars},
    {"TensorMapInsert", AllScalars},
    {"TensorMapLookup", NothingKnown},
    {"TensorMapSize", AllScalars},
    {"TensorMapStackKeys", NothingKnown},
};

}  // namespace

absl::Span<const ShapeRule> ListRules() { return kRules; }

}  // namespace sluice::graph
