// SPDX-License-Identifier: Apache-2.0
// Gradients of gathers and scatters. A gather of rows has a sparse gradient: only the rows that
// were read.
#include <algorithm>

#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

void GatherRows(NodeGradient& g) {
  g.Set(0, SparseGradient(g, g.b.ShapeOf(g.in(0)), g.b.shape(g.in(0))));
}

// For any axis and batch dimensions. params are seen as [batches, outer, size, inner] and dy as
// [batches, outer, picks, inner]. Each pick's gradient is added to the row that was picked.
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

// For a tensor with a replaced slice: the gradient of the slice goes to the value.
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

// The indices give the position of each input's rows. If a row is written twice, only the last
// write counts; TensorFlow's gradient ignores this too.
void DynamicStitch(NodeGradient& g) {
  const int count = g.num_inputs() / 2;
  for (int i = 0; i < count; ++i) {
    g.Set(count + i, g.Op("GatherV2", {g.grad(), g.in(i), g.b.Int(0)}));
  }
}

}  // namespace

void AddArrayIndexingGradients(GradientTable& table) {
  table["Gather"] = GatherRows;
  table["GatherV2"] = GatherV2;
  table["TensorStridedSliceUpdate"] = TensorStridedSliceUpdate;
  table["GatherNd"] = GatherNd;
  table["ScatterNd"] = ScatterNd;
  for (auto op : {"DynamicStitch", "ParallelDynamicStitch"}) table[op] = DynamicStitch;
}

}  // namespace sluice::graph
