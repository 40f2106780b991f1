// SPDX-License-Identifier: Apache-2.0
// Gradients of lists and maps. The gradient of a list is a list of the same length, whose
// unset elements are zeros.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

AttrMap ElementType(DType dtype) { return {{"element_dtype", dtype}}; }

// The shape of a list's elements, as far as the list has it.
Output ElementShapeOf(NodeGradient& g, const Output& list) {
  return g.Op("TensorListElementShape", {list}, {{"shape_type", kInt32}});
}

// The shape of a tensor after its first dimension.
Output RowShapeOf(NodeGradient& g, const Output& x) {
  const PartialShape& known = g.b.shape(x);
  if (known.rank() > 0) {
    const auto rest = known.dims().subspan(1);
    if (std::all_of(rest.begin(), rest.end(), [](int64_t size) { return size >= 0; })) {
      return g.b.Ints(rest);
    }
  }
  return g.Op("StridedSlice", {g.b.ShapeOf(x), g.b.Ints({1}), g.b.Ints({0}), g.b.Ints({1})},
              {{"end_mask", 1}});
}

void PushBack(NodeGradient& g) {
  const auto popped =
      g.b.Ops("TensorListPopBack", {g.grad(), g.b.ShapeOf(g.in(1))}, ElementType(g.in(1).dtype()));
  if (popped.size() != 2) return;
  g.Set(0, popped[0]);
  g.Set(1, popped[1]);
}

void PopBack(NodeGradient& g) {
  const AttrMap type = ElementType(g.out(1).dtype());
  Output list;
  if (g.has_grad(0)) {
    list = g.grad(0);
  } else {
    AttrMap attrs = type;
    attrs["shape_type"] = kInt32;
    list = g.Op("EmptyTensorList", {ElementShapeOf(g, g.out(0)), g.b.Int(-1)}, attrs);
  }
  g.Set(0, g.Op("TensorListPushBack", {list, g.grad(1)}, type));
}

void Stack(NodeGradient& g) {
  g.Set(0, g.Op("TensorListFromTensor", {g.grad(), RowShapeOf(g, g.grad())},
                {{"element_dtype", g.out(0).dtype()}, {"shape_type", kInt32}}));
}

void FromTensor(NodeGradient& g) {
  g.Set(0,
        g.Op("TensorListStack", {g.grad(), RowShapeOf(g, g.in(0))}, ElementType(g.in(0).dtype())));
}

void Concat(NodeGradient& g) {
  g.Set(0, g.Op("TensorListSplit", {g.grad(), ElementShapeOf(g, g.in(0)), g.out(1)},
                {{"element_dtype", g.out(0).dtype()}, {"shape_type", kInt32}}));
}

void Split(NodeGradient& g) {
  const Output shape =
      g.Op("ConcatV2", {g.b.Ints({-1}), RowShapeOf(g, g.in(0)), g.b.Int(0)}, {{"N", 2}});
  g.Set(0, g.Op("TensorListConcatV2", {g.grad(), shape, g.in(2)},
                {{"element_dtype", g.in(0).dtype()}, {"shape_type", kInt32}}));
}

// A list like input 0 with no element set.
Output Unset(NodeGradient& g, DType dtype) {
  return g.Op("TensorListReserve",
              {ElementShapeOf(g, g.in(0)), g.Op("TensorListLength", {g.in(0)})},
              {{"element_dtype", dtype}, {"shape_type", kInt32}});
}

void GetItem(NodeGradient& g) {
  const DType dtype = g.out(0).dtype();
  g.Set(0, g.Op("TensorListSetItem", {Unset(g, dtype), g.in(1), g.grad()}, ElementType(dtype)));
}

void SetItem(NodeGradient& g) {
  const Output item = g.in(2), index = g.in(1);
  const AttrMap type = ElementType(item.dtype());
  g.Set(0, g.Op("TensorListSetItem", {g.grad(), index, g.Op("ZerosLike", {item})}, type));
  g.Set(2, g.Op("TensorListGetItem", {g.grad(), index, g.b.ShapeOf(item)}, type));
}

void Resize(NodeGradient& g) {
  g.Set(0, g.Op("TensorListResize", {g.grad(), g.Op("TensorListLength", {g.in(0)})}));
}

void Gather(NodeGradient& g) {
  const DType dtype = g.out(0).dtype();
  g.Set(0, g.Op("TensorListScatterIntoExistingList", {Unset(g, dtype), g.grad(), g.in(1)},
                ElementType(dtype)));
}

void Scatter(NodeGradient& g) {
  g.Set(0, g.Op("TensorListGather", {g.grad(), g.in(1), RowShapeOf(g, g.in(0))},
                ElementType(g.in(0).dtype())));
}

void ScatterIntoExistingList(NodeGradient& g) {
  const Output tensor = g.in(1), indices = g.in(2);
  const AttrMap type = ElementType(tensor.dtype());
  const Output rest = g.Op("TensorListScatterIntoExistingList",
                           {g.grad(), g.Op("ZerosLike", {tensor}), indices}, type);
  // The indices may have made the list longer.
  g.Set(0, g.Op("TensorListResize", {rest, g.Op("TensorListLength", {g.in(0)})}));
  g.Set(1, g.Op("TensorListGather", {g.grad(), indices, RowShapeOf(g, tensor)}, type));
}

void MapLookup(NodeGradient& g) {
  const Output empty = g.Op("EmptyTensorMap", {});
  g.Set(0, g.Op("TensorMapInsert", {empty, g.in(1), g.grad()},
                {{"key_dtype", g.in(1).dtype()}, {"value_dtype", g.out(0).dtype()}}));
}

// The gradient of the value is that of the key if there is one; the rest belongs to the map before.
void MapInsert(NodeGradient& g) {
  const Output key = g.in(1), value = g.in(2);
  const AttrMap types = g.attrs({"key_dtype", "value_dtype"});
  const Output has = g.Op("TensorMapHasKey", {g.grad(), key}, {{"key_dtype", key.dtype()}});
  const auto maps = g.b.Ops("Switch", {g.grad(), has});
  const auto values = g.b.Ops("Switch", {value, has});
  if (maps.size() != 2 || values.size() != 2) return;
  const Output rest = g.Op("TensorMapErase", {maps[1], key}, types);
  const Output found = g.Op("TensorMapLookup", {maps[1], key}, types);
  g.Set(0, g.Op("Merge", {maps[0], rest}, {{"N", 2}}));
  g.Set(2, g.Op("Merge", {g.Op("ZerosLike", {values[0]}), found}, {{"N", 2}}));
}

}  // namespace

void AddListGradients(GradientTable& table) {
  table["TensorMapLookup"] = MapLookup;
  table["TensorMapInsert"] = MapInsert;
  table["TensorMapErase"] = PassThrough;
  table["TensorListPushBack"] = PushBack;
  table["TensorListPopBack"] = PopBack;
  table["TensorListStack"] = Stack;
  table["TensorListFromTensor"] = FromTensor;
  for (auto op : {"TensorListConcat", "TensorListConcatV2"}) table[op] = Concat;
  table["TensorListSplit"] = Split;
  table["TensorListGetItem"] = GetItem;
  table["TensorListSetItem"] = SetItem;
  table["TensorListResize"] = Resize;
  table["TensorListGather"] = Gather;
  for (auto op : {"TensorListScatter", "TensorListScatterV2"}) table[op] = Scatter;
  table["TensorListScatterIntoExistingList"] = ScatterIntoExistingList;
}

}  // namespace sluice::graph
