// SPDX-License-Identifier: Apache-2.0
// Gradients of sparse tensors: they flow through the values; indices and shapes have none.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// Column `c` of a matrix, as a vector.
Output Column(NodeGradient& g, const Output& matrix, int64_t c) {
  return g.Op("StridedSlice", {matrix, g.b.Ints({0, c}), g.b.Ints({0, c + 1}), g.b.Ints({1, 1})},
              {{"begin_mask", 1}, {"end_mask", 1}, {"shrink_axis_mask", 2}});
}

Output Long(NodeGradient& g, const Output& x) { return g.Op("Cast", {x}, {{"DstT", kInt64}}); }

// Moved values: each gradient goes back to its value's place.
void Reorder(NodeGradient& g) {
  const Output size = g.b.SizeOf(g.in(1), kInt32);
  const Output places = g.Op("Range", {g.b.Int(0), size, g.b.Int(1)});
  const std::vector<Output> moved = g.b.Ops("SparseReorder", {g.in(0), places, g.in(2)});
  if (moved.size() < 2) return;
  g.Set(1, g.Op("UnsortedSegmentSum", {g.grad(1), moved[1], size}));
}

void Slice(NodeGradient& g) {
  g.Set(1, g.Op("SparseSliceGrad", {g.grad(1), g.in(0), g.in(3), g.out(0)}));
}

void Add(NodeGradient& g) {
  const std::vector<Output> both =
      g.b.Ops("SparseAddGrad", {g.grad(1), g.in(0), g.in(3), g.out(0)});
  if (both.size() < 2) return;
  g.Set(1, both[0]);
  g.Set(4, both[1]);
}

void TensorDenseAdd(NodeGradient& g) {
  g.Set(1, g.Op("GatherNd", {g.grad(), g.in(0)}));
  g.Set(3, g.grad());
}

// y = a b. db = a' dy; each value of a is multiplied with one row of b and one of dy.
void MatMul(NodeGradient& g) {
  const bool adjoint_a = g.attr<bool>("adjoint_a"), adjoint_b = g.attr<bool>("adjoint_b");
  const Output dy = g.grad(), b = g.in(3);
  const auto transposed = [&](const Output& x) {
    return g.Op("Transpose", {g.b.Conj(x), g.b.Ints({1, 0})});
  };
  if (g.wanted(3)) {
    const Output db = g.Op("SparseTensorDenseMatMul", {g.in(0), g.in(1), g.in(2), dy},
                           {{"adjoint_a", !adjoint_a}, {"adjoint_b", false}});
    g.Set(3, adjoint_b ? transposed(db) : db);
  }
  const Output rows = Column(g, g.in(0), 0), columns = Column(g, g.in(0), 1);
  const Output of_dy = g.Op("GatherV2", {dy, adjoint_a ? columns : rows, g.b.Int(0)});
  const Output of_b =
      g.Op("GatherV2", {adjoint_b ? transposed(b) : b, adjoint_a ? rows : columns, g.b.Int(0)});
  const Output products = g.Mul(of_dy, g.b.Conj(of_b));
  const Output sums = g.Op("Sum", {products, g.b.Int(1)});
  g.Set(1, adjoint_a ? g.b.Conj(sums) : sums);
}

// The dense side's indices of the values, after broadcasting.
struct DenseSide {
  Output shape, indices, values;

  explicit DenseSide(NodeGradient& g) {
    shape = Long(g, g.b.ShapeOf(g.in(3)));
    const Output extra = g.Op("Sub", {g.b.SizeOf(g.in(2), kInt32), g.b.SizeOf(shape, kInt32)});
    const Output extra_vector = g.Op("Reshape", {extra, g.b.Ints({1})});
    const Output ones = g.Op("Fill", {extra_vector, g.b.ScalarOf(kInt64, 1)});
    const Output whole = g.Op("ConcatV2", {ones, shape, g.b.Int(0)}, {{"N", 2}});
    const Output scaled = g.Op("FloorDiv", {g.in(0), g.Op("FloorDiv", {g.in(2), whole})});
    const Output begin = g.Op("ConcatV2", {g.b.Ints({0}), extra_vector, g.b.Int(0)}, {{"N", 2}});
    indices = g.Op("Slice", {scaled, begin, g.b.Ints({-1, -1})});
    values = g.Op("GatherNd", {g.in(3), indices});
  }
  // Sums the gradients of each dense element.
  void Set(NodeGradient& g, const Output& gradient) const {
    const Output zeros = g.Op("ZerosLike", {g.in(3)});
    g.Set(3, g.Op("SparseTensorDenseAdd", {indices, gradient, shape, zeros}));
  }
};

void DenseCwiseMul(NodeGradient& g) {
  const DenseSide dense(g);
  g.Set(1, g.Mul(g.grad(), dense.values));
  if (g.wanted(3)) dense.Set(g, g.Mul(g.grad(), g.in(1)));
}

void DenseCwiseAdd(NodeGradient& g) {
  g.Set(1, g.grad());
  if (g.wanted(3)) DenseSide(g).Set(g, g.grad());
}

void DenseCwiseDiv(NodeGradient& g) {
  const DenseSide dense(g);
  const Output dx = g.Op("Div", {g.grad(), dense.values});
  g.Set(1, dx);
  if (g.wanted(3)) dense.Set(g, g.Neg(g.Mul(dx, g.Op("Div", {g.in(1), dense.values}))));
}

// Each value gets the gradient of the sum that contains it.
void ReduceSum(NodeGradient& g) {
  const Output kept =
      g.Op("SparseReduceSum", {g.in(0), g.in(1), g.in(2), g.in(3)}, {{"keep_dims", true}});
  const Output shape = g.b.ShapeOf(kept);
  const Output dy = g.Op("Reshape", {g.grad(), shape});
  const Output scale = g.Op("FloorDiv", {g.in(2), Long(g, shape)});
  g.Set(1, g.Op("GatherNd", {dy, g.Op("FloorDiv", {g.in(0), scale})}));
}

// dx = y (dy - sum of y dy over the row).
void Softmax(NodeGradient& g) {
  const Output products = g.Mul(g.out(0), g.grad());
  const Output sums =
      g.Op("SparseReduceSum", {g.in(0), products, g.in(2), g.b.Ints({-1})}, {{"keep_dims", true}});
  const Output rest = g.Op("SparseDenseCwiseAdd", {g.in(0), g.grad(), g.in(2), g.Neg(sums)});
  g.Set(1, g.Mul(rest, g.out(0)));
}

void SparseToDense(NodeGradient& g) {
  // Positions may be a scalar or a vector.
  const Output rank = g.Op("Cast", {g.Op("Size", {g.in(1)})}, {{"DstT", kInt32}});
  const Output each = g.Op("Pack", {g.b.Int(-1), rank}, {{"N", 2}, {"axis", 0}});
  const Output values = g.Op("GatherNd", {g.grad(), g.Op("Reshape", {g.in(0), each})});
  if (g.wanted(2)) g.Set(2, g.Op("Reshape", {values, g.b.ShapeOf(g.in(2))}));
  if (!g.wanted(3)) return;
  const auto sum = [&](const Output& x) {
    const Output axes = g.Op("Range", {g.b.Int(0), g.Op("Rank", {x}), g.b.Int(1)});
    return g.Op("Sum", {x, axes});
  };
  g.Set(3, g.Op("Sub", {sum(g.grad()), sum(values)}));
}

Output Gather(NodeGradient& g, const Output& rows, const Output& ids) {
  return g.Op("GatherV2", {rows, ids, g.b.Int(0)});
}

Output NumRows(NodeGradient& g) {
  return g.Op("StridedSlice", {g.b.ShapeOf(g.in(0)), g.b.Ints({0}), g.b.Ints({1}), g.b.Ints({1})},
              {{"shrink_axis_mask", 1}});
}

void SparseSegmentSum(NodeGradient& g) {
  g.Set(0, g.Op("UnsortedSegmentSum", {Gather(g, g.grad(), g.in(2)), g.in(1), NumRows(g)}));
}
void SparseSegmentMean(NodeGradient& g) {
  g.Set(0, g.Op("SparseSegmentMeanGrad", {g.grad(), g.in(1), g.in(2), NumRows(g)}));
}
void SparseSegmentSqrtN(NodeGradient& g) {
  g.Set(0, g.Op("SparseSegmentSqrtNGrad", {g.grad(), g.in(1), g.in(2), NumRows(g)}));
}

}  // namespace

void FillEmptyRows(NodeGradient& g) {
  const std::vector<Output> both =
      g.b.Ops(absl::StrCat(g.node.op(), "Grad"), {g.out(3), g.grad(1)});
  if (both.size() < 2) return;
  g.Set(1, both[0]);
  g.Set(3, both[1]);
}

void AddSparseGradients(GradientTable& table) {
  table["SparseReorder"] = Reorder;
  table["SparseSlice"] = Slice;
  table["SparseAdd"] = Add;
  table["SparseTensorDenseAdd"] = TensorDenseAdd;
  table["SparseTensorDenseMatMul"] = MatMul;
  table["SparseDenseCwiseMul"] = DenseCwiseMul;
  table["SparseDenseCwiseAdd"] = DenseCwiseAdd;
  table["SparseDenseCwiseDiv"] = DenseCwiseDiv;
  table["SparseReduceSum"] = ReduceSum;
  table["SparseSoftmax"] = Softmax;
  table["SparseFillEmptyRows"] = FillEmptyRows;
  table["SparseToDense"] = SparseToDense;
  for (auto op : {"SparseSegmentSum", "SparseSegmentSumWithNumSegments"})
    table[op] = SparseSegmentSum;
  for (auto op : {"SparseSegmentMean", "SparseSegmentMeanWithNumSegments"})
    table[op] = SparseSegmentMean;
  for (auto op : {"SparseSegmentSqrtN", "SparseSegmentSqrtNWithNumSegments"})
    table[op] = SparseSegmentSqrtN;
}

}  // namespace sluice::graph
