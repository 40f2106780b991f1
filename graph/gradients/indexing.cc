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

// Along another axis: that axis is moved to the front, summed into by index, and moved back.
void GatherAxis(NodeGradient& g, int64_t axis) {
  const PartialShape& params = g.b.shape(g.in(0));
  const PartialShape& indices = g.b.shape(g.in(1));
  if (!params.rank_known() || !indices.rank_known()) {
    return g.b.Fail(Unimplemented("gradient of ", g.node.Label(), " along axis ", axis,
                                  ": the ranks of its inputs must be known"));
  }
  const int64_t from = axis, to = axis + indices.rank();
  std::vector<int64_t> front, back;
  for (int64_t i = from; i < to; ++i) front.push_back(i);
  for (int64_t i = 0; i < from; ++i) front.push_back(i);
  for (int64_t i = to; i < params.rank() - 1 + indices.rank(); ++i) front.push_back(i);
  for (int64_t i = 1; i <= axis; ++i) back.push_back(i);
  back.push_back(0);
  for (int64_t i = axis + 1; i < params.rank(); ++i) back.push_back(i);
  const Output size = g.Op(
      "StridedSlice", {g.b.ShapeOf(g.in(0)), g.b.Ints({axis}), g.b.Ints({axis + 1}), g.b.Ints({1})},
      {{"shrink_axis_mask", 1}});
  const Output moved = g.Op("Transpose", {g.grad(), g.b.Ints(front)});
  const Output sums = g.Op("UnsortedSegmentSum", {moved, g.in(1), size});
  g.Set(0, g.Op("Transpose", {sums, g.b.Ints(back)}));
}

void GatherV2(NodeGradient& g) {
  const auto axis = g.b.Known(g.in(2));
  if (!axis || axis->size() != 1 || g.attr<int64_t>("batch_dims") != 0) {
    return g.b.Fail(Unimplemented("gradient of ", g.node.Label(),
                                  ": its axis must be a constant and batch_dims 0"));
  }
  int64_t at = (*axis)[0];
  if (at < 0) at += g.b.shape(g.in(0)).rank();
  if (at == 0) return GatherRows(g);
  GatherAxis(g, at);
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

}  // namespace

void AddIndexingGradients(GradientTable& table) {
  table["Gather"] = GatherRows;
  table["GatherV2"] = GatherV2;
  table["ResourceGather"] = ResourceGather;
  table["GatherNd"] = GatherNd;
  table["ScatterNd"] = ScatterNd;
  table["SegmentSum"] = SegmentSum;
  table["UnsortedSegmentSum"] = UnsortedSegmentSum;
  for (auto op : {"DynamicStitch", "ParallelDynamicStitch"}) table[op] = DynamicStitch;
}

}  // namespace sluice::graph
