#include <algorithm>

#include "graph/gradients/node_gradient.h"

// Gradients of gathers and scatters. A gather of rows has a sparse gradient: only what was read.

namespace sluice::graph {
namespace {

// The rows of `dy` behind a gather of rows by `indices`: [number of indices, the rest of the
// shape].
Output Rows(NodeGradient& g, const Output& dy, const Output& indices, const Output& dense_shape,
            const PartialShape& known) {
  bool plain = known.rank_known();
  std::vector<int64_t> rows = {-1};
  for (int i = 1; plain && i < known.rank(); ++i) {
    rows.push_back(known.dim(i));
    plain = known.dim(i) > 0;
  }
  if (plain) return g.Op("Reshape", {dy, g.b.Ints(rows)});
  const Output row =
      g.Op("StridedSlice", {dense_shape, g.b.Ints({1}), g.b.Ints({0}), g.b.Ints({1})},
           {{"end_mask", 1}});
  const Output count = g.Op("Reshape", {g.Op("Size", {indices}), g.b.Ints({1})});
  return g.Op("Reshape", {dy, g.Op("ConcatV2", {count, row, g.b.Int(0)}, {{"N", 2}})});
}

GradientOutput Sparse(NodeGradient& g, const Output& dense_shape, const PartialShape& known) {
  const Output indices = g.in(1);
  return {Rows(g, g.grad(), indices, dense_shape, known),
          g.Op("Reshape", {indices, g.b.Ints({-1})}), dense_shape};
}

void GatherRows(NodeGradient& g) { g.Set(0, Sparse(g, g.b.ShapeOf(g.in(0)), g.b.shape(g.in(0)))); }

// Along any axis, in batches: params are seen as [batches, outer, size, inner] and dy as [batches,
// outer, picks, inner]; what was picked is summed where it came from.
void GatherAxis(NodeGradient& g, Output axis, int64_t batch_dims) {
  const Output shape = g.b.ShapeOf(g.in(0)), rank = g.Op("Rank", {g.in(0)});
  const Output zero = g.b.Int(0), one = g.b.Int(1), from_end = g.b.Ints({-1});
  axis = g.Op("FloorMod", {g.Op("Cast", {axis}, {{"DstT", kInt32}}), rank});
  Output batch = g.b.Int(batch_dims);
  if (batch_dims < 0) batch = g.Op("AddV2", {batch, g.Op("Rank", {g.in(1)})});
  const auto vector = [&](const Output& scalar) {
    return g.Op("Reshape", {scalar, g.b.Ints({1})});
  };
  const auto count = [&](const Output& begin, const Output& end) {  // elements of these dimensions
    const Output dims = g.Op("StridedSlice", {shape, vector(begin), vector(end), g.b.Ints({1})});
    return g.Op("Prod", {dims, zero});
  };
  const auto view = [&](const Output& x, std::vector<Output> sizes) {
    const auto n = static_cast<int64_t>(sizes.size());
    return g.Op("Reshape", {x, g.Op("Pack", sizes, {{"N", n}})});
  };
  const Output behind = g.Op("AddV2", {axis, one});
  const Output batches = count(zero, batch), outer = count(batch, axis);
  const Output size = count(axis, behind), inner = count(behind, rank);
  const Output all_picks = g.Op("Size", {g.in(1)});
  const Output picks = g.Op("FloorDiv", {all_picks, g.Op("Maximum", {batches, one})});
  const Output swap = g.b.Ints({0, 2, 1, 3});
  const Output moved = g.Op("Transpose", {view(g.grad(), {batches, outer, picks, inner}), swap});
  // Each batch has ids of its own.
  const Output ids = view(g.Op("Cast", {g.in(1)}, {{"DstT", kInt32}}), {batches, picks});
  const Output starts = g.Op("Mul", {g.Op("Range", {zero, batches, one}), size});
  const Output own = g.Op("AddV2", {ids, g.Op("ExpandDims", {starts, one})});
  const Output sums =
      g.Op("UnsortedSegmentSum", {view(moved, {all_picks, outer, inner}),
                                  g.Op("Reshape", {own, from_end}), g.Mul(batches, size)});
  const Output back = g.Op("Transpose", {view(sums, {batches, size, outer, inner}), swap});
  g.Set(0, g.Op("Reshape", {back, shape}));
}

void GatherV2(NodeGradient& g) {
  const auto axis = g.b.Known(g.in(2));
  const int64_t batch_dims = g.attr<int64_t>("batch_dims");
  // An unknown rank is -1.
  const int rank = std::max(0, g.b.shape(g.in(0)).rank());
  if (batch_dims == 0 && axis && axis->size() == 1 && ((*axis)[0] == 0 || (*axis)[0] == -rank))
    return GatherRows(g);
  GatherAxis(g, g.in(2), batch_dims);
}

void ResourceGather(NodeGradient& g) {
  // The handle's own shape is []; the variable's stands in its VarHandleOp.
  const Node& handle = *g.in(0).node;
  const auto known = GetAttrOr<PartialShape>(handle.attrs, "shape", PartialShape());
  if (handle.op() == "VarHandleOp" && known.fully_known()) {
    return g.Set(0, Sparse(g, g.b.Ints(known.dims()), known));
  }
  g.Set(0, Sparse(g, g.Op("VariableShape", {g.in(0)}), PartialShape()));
}

// Of a tensor with a slice replaced: the slice's part goes to the value.
void TensorStridedSliceUpdate(NodeGradient& g) {  // input, begin, end, strides, value
  const AttrMap masks =
      g.attrs({"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"});
  const Output begin = g.in(1), end = g.in(2), strides = g.in(3), value = g.in(4);
  if (g.wanted(0)) {
    const Output zeros = g.Op("ZerosLike", {value});
    g.Set(0, g.Op(g.node.op(), {g.grad(), begin, end, strides, zeros}, masks));
  }
  if (g.wanted(4)) {
    const Output slice = g.Op("StridedSlice", {g.grad(), begin, end, strides}, masks);
    g.Set(4, SumToShapeOf(g.b, slice, value, slice));
  }
}

void GatherNd(NodeGradient& g) {
  const Output shape = g.Op("Cast", {g.b.ShapeOf(g.in(0))}, {{"DstT", g.in(1).dtype()}});
  g.Set(0, g.Op("ScatterNd", {g.in(1), g.grad(), shape}));
}

void ScatterNd(NodeGradient& g) { g.Set(1, g.Op("GatherNd", {g.grad(), g.in(0)})); }

void SegmentSum(NodeGradient& g) { g.Set(0, g.Op("GatherV2", {g.grad(), g.in(1), g.b.Int(0)})); }

// Rows with a negative id went nowhere, so nothing comes back to them.
void UnsortedSegmentSum(NodeGradient& g) {
  const Output ids = g.in(1);
  const Output zero = g.b.ScalarOf(ids.dtype(), 0);
  const Output rows = g.Op("GatherV2", {g.grad(), g.Op("Maximum", {ids, zero}), g.b.Int(0)});
  const Output used = g.Op("GreaterEqual", {ids, zero});
  const Output extra = g.Op("Sub", {g.Op("Rank", {rows}), g.Op("Rank", {used})});
  const Output ones = g.Op("Fill", {g.Op("Reshape", {extra, g.b.Ints({1})}), g.b.Int(1)});
  const Output shape = g.Op("ConcatV2", {g.b.ShapeOf(used), ones, g.b.Int(0)}, {{"N", 2}});
  const Output mask = g.Op("Cast", {g.Op("Reshape", {used, shape})}, {{"DstT", rows.dtype()}});
  g.Set(0, g.Mul(rows, mask));
}

// Each input's rows are where the indices put them; of a row written twice only the last one
// counts, which TensorFlow's gradient does not look at either.
void DynamicStitch(NodeGradient& g) {
  const int count = g.num_inputs() / 2;
  for (int i = 0; i < count; ++i) {
    g.Set(count + i, g.Op("GatherV2", {g.grad(), g.in(i), g.b.Int(0)}));
  }
}

// The same gather of the rows' numbers says which rows of the values were read.
void RaggedGather(NodeGradient& g) {
  const int values = g.num_inputs() - 2;  // behind their splits, before the indices
  const Output shape = g.b.ShapeOf(g.in(values));
  const Output count = g.Op("StridedSlice", {shape, g.b.Ints({0}), g.b.Ints({1}), g.b.Ints({1})},
                            {{"shrink_axis_mask", 1}});
  std::vector<Output> inputs;
  for (int i = 0; i < values; ++i) inputs.push_back(g.in(i));
  inputs.push_back(g.Op("Range", {g.b.Int(0), count, g.b.Int(1)}));
  inputs.push_back(g.in(values + 1));
  const std::vector<Output> rows =
      g.b.Ops("RaggedGather", inputs, g.attrs({"PARAMS_RAGGED_RANK", "OUTPUT_RAGGED_RANK"}));
  if (rows.empty()) return;
  g.Set(values, GradientOutput{g.grad(g.node.num_outputs() - 1), rows.back(), shape});
}

void RaggedTensorToSparse(NodeGradient& g) {
  const int values = g.num_inputs() - 1;
  g.Set(values, g.Op("Reshape", {g.grad(1), g.b.ShapeOf(g.in(values))}));
}

}  // namespace

void AddIndexingGradients(GradientTable& table) {
  table["Gather"] = GatherRows;
  table["GatherV2"] = GatherV2;
  table["ResourceGather"] = ResourceGather;
  table["TensorStridedSliceUpdate"] = TensorStridedSliceUpdate;
  table["GatherNd"] = GatherNd;
  table["ScatterNd"] = ScatterNd;
  table["RaggedGather"] = RaggedGather;
  table["RaggedTensorToSparse"] = RaggedTensorToSparse;
  table["SegmentSum"] = SegmentSum;
  table["UnsortedSegmentSum"] = UnsortedSegmentSum;
  for (auto op : {"DynamicStitch", "ParallelDynamicStitch"}) table[op] = DynamicStitch;
}

}  // namespace sluice::graph
