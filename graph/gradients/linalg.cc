// SPDX-License-Identifier: Apache-2.0
// Gradients of linear algebra. Giles, "An extended collection of matrix derivative results for
// forward and reverse mode algorithmic differentiation", 2008, unless another source is given.
#include <algorithm>
#include <numeric>

#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

Output Product(NodeGradient& g, const Output& a, const Output& b, bool adjoint_a = false,
               bool adjoint_b = false) {
  return g.Op("BatchMatMulV2", {a, b}, {{"adj_x", adjoint_a}, {"adj_y", adjoint_b}});
}
Output Sum(NodeGradient& g, const Output& a, const Output& b) { return g.Op("AddV2", {a, b}); }
Output Difference(NodeGradient& g, const Output& a, const Output& b) { return g.Op("Sub", {a, b}); }
Output Band(NodeGradient& g, const Output& a, int64_t lower, int64_t upper) {
  return g.Op("MatrixBandPart", {a, g.b.Int(lower), g.b.Int(upper)});
}
Output Diagonal(NodeGradient& g, const Output& a) { return g.Op("MatrixDiagPart", {a}); }
Output AsDiagonal(NodeGradient& g, const Output& d) { return g.Op("MatrixDiag", {d}); }
Output Expand(NodeGradient& g, const Output& x, int64_t axis) {
  return g.Op("ExpandDims", {x, g.b.Int(axis)});
}
// The unit matrices of the batch and size of square matrices a.
Output Identity(NodeGradient& g, const Output& a) {
  return AsDiagonal(g, g.Op("OnesLike", {Diagonal(g, a)}));
}
// REQUIRES: a has the rank of the node's first input, as all matrices of one decomposition have.
Output Adjoint(NodeGradient& g, const Output& a) {
  const PartialShape& like = g.b.shape(g.in(0));
  if (like.rank_known()) {
    std::vector<int64_t> order(like.rank());
    std::iota(order.begin(), order.end(), 0);
    std::swap(order[order.size() - 1], order[order.size() - 2]);
    return g.Op("ConjugateTranspose", {a, g.b.Ints(order)});
  }
  const Output rank = g.Op("Rank", {g.in(0)}), one = g.b.Int(1), two = g.b.Int(2);
  const Output batch = g.Op("Range", {g.b.Int(0), Difference(g, rank, two), one});
  const Output inner =
      g.Op("Pack", {Difference(g, rank, one), Difference(g, rank, two)}, {{"N", 2}, {"axis", 0}});
  return g.Op("ConjugateTranspose", {a, g.Op("ConcatV2", {batch, inner, g.b.Int(0)}, {{"N", 2}})});
}
Output HalveDiagonal(NodeGradient& g, const Output& a) {
  return g.Op("MatrixSetDiag", {a, g.Scaled(Diagonal(g, a), 0.5)});
}
// The lower triangle of a self-adjoint matrix. TensorFlow reads only this triangle.
Output LowerOfSymmetric(NodeGradient& g, const Output& a) {
  return HalveDiagonal(g, Band(g, Sum(g, a, Adjoint(g, a)), -1, 0));
}
Output Solve(NodeGradient& g, const Output& a, const Output& b, bool adjoint = false) {
  return g.Op("MatrixSolve", {a, b}, {{"adjoint", adjoint}});
}
Output SolveTriangular(NodeGradient& g, const Output& a, const Output& b, bool lower,
                       bool adjoint) {
  return g.Op("MatrixTriangularSolve", {a, b}, {{"lower", lower}, {"adjoint", adjoint}});
}

void Inverse(NodeGradient& g) {
  const Output y = g.out(0);
  if (g.attr<bool>("adjoint"))
    g.Set(0, g.Neg(Product(g, Product(g, y, g.grad(), false, true), y)));
  else
    g.Set(0, g.Neg(Product(g, y, Product(g, g.grad(), y, false, true), true)));
}

void ScaledInverse(NodeGradient& g, const Output& factor) {
  const Output inverse = g.Op("MatrixInverse", {g.in(0)}, {{"adjoint", true}});
  g.Set(0, g.Mul(Expand(g, Expand(g, factor, -1), -1), inverse));
}
void Determinant(NodeGradient& g) { ScaledInverse(g, g.Mul(g.grad(), g.b.Conj(g.out(0)))); }
void LogDeterminant(NodeGradient& g) {
  if (g.has_grad(1)) ScaledInverse(g, g.grad(1));
}

void Cholesky(NodeGradient& g) {
  const Output l = g.out(0);
  const Output inverse = SolveTriangular(g, l, Identity(g, l), true, false);
  const Output middle = Band(g, HalveDiagonal(g, Product(g, l, g.grad(), true)), -1, 0);
  const Output da = Product(g, Product(g, inverse, middle, true), inverse);
  g.Set(0, g.Scaled(Sum(g, da, Adjoint(g, da)), 0.5));
}

// For x with a x = b: db = a^-H dx, da = -db x^H.
void MatrixSolve(NodeGradient& g) {
  const bool adjoint = g.attr<bool>("adjoint");
  const Output x = g.out(0), db = Solve(g, g.in(0), g.grad(), !adjoint);
  g.Set(1, db);
  g.Set(0, g.Neg(adjoint ? Product(g, x, db, false, true) : Product(g, db, x, false, true)));
}

void TriangularSolve(NodeGradient& g) {
  const bool adjoint = g.attr<bool>("adjoint"), lower = g.attr<bool>("lower");
  const Output x = g.out(0);
  const Output db = SolveTriangular(g, g.in(0), g.grad(), lower, !adjoint);
  const Output da = adjoint ? Product(g, x, db, false, true) : Product(g, db, x, false, true);
  const Output part = g.Neg(lower ? Band(g, da, -1, 0) : Band(g, da, 0, -1));
  const PartialShape &as = g.b.shape(g.in(0)), &bs = g.b.shape(g.in(1));
  const bool same = as.fully_known() && bs.fully_known() && as.rank() == bs.rank() &&
                    std::equal(as.dims().begin(), as.dims().end() - 2, bs.dims().begin());
  if (g.wanted(0)) g.Set(0, same ? part : SumToShapeOf(g.b, part, g.in(0), part));
  if (g.wanted(1)) g.Set(1, same ? db : SumToShapeOf(g.b, db, g.in(1), db));
}

// That of MatrixTriangularSolve, whose bands are read from the full matrices.
void BandedTriangularSolve(NodeGradient& g) {
  const bool adjoint = g.attr<bool>("adjoint"), lower = g.attr<bool>("lower");
  const Output x = g.out(0), bands = g.in(0);
  const Output db =
      g.Op("BandedTriangularSolve", {bands, g.grad()}, {{"lower", lower}, {"adjoint", !adjoint}});
  if (g.wanted(1)) g.Set(1, SumToShapeOf(g.b, db, g.in(1), db));
  if (!g.wanted(0)) return;
  const Output da =
      g.Neg(adjoint ? Product(g, x, db, false, true) : Product(g, db, x, false, true));
  const auto slice = [&](const Output& x, int64_t begin, int64_t end, absl::string_view mask) {
    return g.Op("StridedSlice", {x, g.b.Ints({begin}), g.b.Ints({end}), g.b.Ints({1})},
                {{std::string(mask), 1}});
  };
  const Output shape = g.b.ShapeOf(bands), zero = g.b.Int(0);
  const Output count = slice(shape, -2, -1, "shrink_axis_mask");
  const Output farthest = Difference(g, count, g.b.Int(1));
  const Output first = lower ? g.Neg(farthest) : zero, last = lower ? zero : farthest;
  const Output range = g.Op("Pack", {first, last}, {{"N", 2}, {"axis", 0}});
  const Output read =
      g.Op("MatrixDiagPartV3", {da, range, g.b.ScalarOf(da.dtype(), 0)}, {{"align", "LEFT_RIGHT"}});
  // A lone band comes without its dimension.
  const Output batch = slice(g.b.ShapeOf(da), 0, -2, "begin_mask");
  const Output full = g.Op("ConcatV2", {batch, slice(shape, -2, 0, "end_mask"), zero}, {{"N", 2}});
  const Output all = g.Op("Reshape", {read, full});
  g.Set(0, SumToShapeOf(g.b, all, bands, all));
}

// By the normal equations: (a^H a + l2 I) x = a^H b, or x = a^H (a a^H + l2 I)^-1 b.
void SolveLs(NodeGradient& g) {
  const PartialShape& shape = g.b.shape(g.in(0));
  if (!g.attr<bool>("fast") || !shape.rank_known() || shape.dim(shape.rank() - 1) < 0 ||
      shape.dim(shape.rank() - 2) < 0) {
    return g.b.Fail(Unimplemented("gradient of ", g.node.Label(),
                                  ": for fast = true and matrices of a known shape only"));
  }
  const Output a = g.in(0), b = g.in(1), x = g.out(0), dx = g.grad();
  const Output l2 = g.Op("Cast", {g.in(2)}, {{"DstT", a.dtype()}});
  const bool tall = shape.dim(shape.rank() - 2) >= shape.dim(shape.rank() - 1);
  const Output bare = tall ? Product(g, a, a, true) : Product(g, a, a, false, true);
  const Output gram = g.Op("MatrixSetDiag", {bare, Sum(g, Diagonal(g, bare), l2)});
  if (tall) {
    const Output z = Solve(g, gram, dx);
    const Output both = Sum(g, Product(g, x, z, false, true), Product(g, z, x, false, true));
    g.Set(0, Difference(g, Product(g, b, z, false, true), Product(g, a, both)));
    g.Set(1, Product(g, a, z));
    return;
  }
  const Output db = Solve(g, gram, Product(g, a, dx));
  const Output w = Solve(g, gram, b);
  const Output one = Product(g, db, Product(g, w, a, true));
  const Output other = Difference(g, dx, Product(g, a, db, true));
  g.Set(0, Difference(g, Product(g, w, other, false, true), one));
  g.Set(1, db);
}

// 1 / (x_j - x_i), 0 on the diagonal.
Output Gaps(NodeGradient& g, const Output& x) {
  const Output gaps = Difference(g, Expand(g, x, -2), Expand(g, x, -1));
  return g.Op("MatrixSetDiag", {g.Op("Reciprocal", {gaps}), g.Op("ZerosLike", {x})});
}

void SelfAdjointEig(NodeGradient& g) {
  Output e = g.out(0), v = g.out(1);
  Output middle = AsDiagonal(g, g.grad(0));
  if (!g.attr<bool>("compute_v")) {
    v = Output{g.b.Ops("SelfAdjointEigV2", {g.in(0)}).at(1)};
  } else if (g.has_grad(1)) {
    middle = Sum(g, middle, g.Mul(Gaps(g, e), Product(g, v, g.grad(1), true)));
  }
  g.Set(0, LowerOfSymmetric(g, Product(g, v, Product(g, middle, v, false, true))));
}

// a = u diag(s) v^T, thin (Townsend, "Differentiating the singular value decomposition", 2016).
void Svd(NodeGradient& g) {
  const DType dtype = g.in(0).dtype();
  if (!g.attr<bool>("compute_uv")) {
    const std::vector<Output> full = g.b.Ops("Svd", {g.in(0)});
    if (full.size() != 3) return;
    return g.Set(0, Product(g, g.Mul(full[1], Expand(g, g.grad(0), -2)), full[2], false, true));
  }
  const PartialShape& shape = g.b.shape(g.in(0));
  const bool square = shape.rank_known() && shape.dim(shape.rank() - 1) >= 0 &&
                      shape.dim(shape.rank() - 1) == shape.dim(shape.rank() - 2);
  if (kComplex.contains(dtype) || (g.attr<bool>("full_matrices") && !square)) {
    return g.b.Fail(Unimplemented("gradient of ", g.node.Label(),
                                  ": for real types and without full_matrices only"));
  }
  const Output s = g.out(0), u = g.out(1), v = g.out(2);
  const Output du = g.grad(1), dv = g.grad(2);
  const Output f = Gaps(g, g.Op("Square", {s}));
  const auto twisted = [&](const Output& x, const Output& dx) {
    const Output j = g.Mul(f, Product(g, x, dx, true));
    return Sum(g, j, Adjoint(g, j));
  };
  const Output columns = Expand(g, s, -2), rows = Expand(g, s, -1);
  const Output core = Sum(g, AsDiagonal(g, g.grad(0)),
                          Sum(g, g.Mul(twisted(u, du), columns), g.Mul(rows, twisted(v, dv))));
  // The parts outside the span of u, and of v.
  const auto outside = [&](const Output& x, const Output& dx) {
    return Difference(g, dx, Product(g, x, Product(g, x, dx, true)));
  };
  const Output du_outside = g.Op("RealDiv", {outside(u, du), columns});
  const Output dv_outside = g.Op("RealDiv", {outside(v, dv), columns});
  const Output inside = Product(g, u, Product(g, core, v, false, true));
  g.Set(0, Sum(g, inside,
               Sum(g, Product(g, du_outside, v, false, true),
                   Product(g, u, dv_outside, false, true))));
}

void Qr(NodeGradient& g) {
  const PartialShape& shape = g.b.shape(g.in(0));
  const bool known = shape.rank_known() && shape.dim(shape.rank() - 1) >= 0 &&
                     shape.dim(shape.rank() - 2) >= shape.dim(shape.rank() - 1);
  const bool square = known && shape.dim(shape.rank() - 2) == shape.dim(shape.rank() - 1);
  if (!known || (g.attr<bool>("full_matrices") && !square)) {
    return g.b.Fail(Unimplemented("gradient of ", g.node.Label(),
                                  ": for tall matrices without full_matrices only"));
  }
  const Output q = g.out(0), r = g.out(1), dq = g.grad(0), dr = g.grad(1);
  const auto skew = [&](const Output& x) { return Difference(g, x, Adjoint(g, x)); };
  const auto over_r = [&](const Output& x) {  // x r^-H
    return Adjoint(g, SolveTriangular(g, r, Adjoint(g, x), false, false));
  };
  const Output qdq = Product(g, q, dq, true);
  const Output lower = Band(g, Sum(g, skew(qdq), skew(Product(g, r, dr, false, true))), -1, 0);
  // A skew matrix of complex numbers has a diagonal, which counts half.
  const Output strict = kComplex.contains(q.dtype()) ? HalveDiagonal(g, lower) : lower;
  const Output inside = Product(g, q, Sum(g, dr, over_r(strict)));
  g.Set(0, Sum(g, inside, over_r(Difference(g, dq, Product(g, q, qdq)))));
}

// y y = a: y^H x + x y^H = dy, a Sylvester equation, written as one linear system of n^2 unknowns.
void SquareRoot(NodeGradient& g) {
  const Output y = g.out(0), dy = g.grad();
  const Output shape = g.b.ShapeOf(y);
  const auto slice = [&](int64_t begin, int64_t end, bool to_end) {
    return g.Op("StridedSlice", {shape, g.b.Ints({begin}), g.b.Ints({end}), g.b.Ints({1})},
                {{"begin_mask", begin == 0 ? 1 : 0}, {"end_mask", to_end ? 1 : 0}});
  };
  const Output batch = slice(0, -2, false), n = slice(-1, 0, true);
  const Output square = g.Mul(n, n);
  const auto shaped = [&](const Output& x, const Output& one, const Output& other) {
    return g.Op("Reshape", {x, g.Op("ConcatV2", {batch, one, other, g.b.Int(0)}, {{"N", 3}})});
  };
  const auto kronecker = [&](const Output& a, const Output& b) {
    return shaped(g.Op("Einsum", {a, b}, {{"equation", std::string("...ik,...jl->...ijkl")}}),
                  square, square);
  };
  const Output identity = Identity(g, y);
  const Output system =
      Sum(g, kronecker(Adjoint(g, y), identity), kronecker(identity, g.b.Conj(y)));
  const Output solved = Solve(g, system, shaped(dy, square, g.b.Ints({1})));
  g.Set(0, shaped(solved, n, n));
}

// The rows of matrices x moved up by one (with a row of zeros below), or down.
Output Moved(NodeGradient& g, const Output& x, bool up) {
  const Output column =
      g.Op("StridedSlice", {x, g.b.Ints({0, 0}), g.b.Ints({0, 1}), g.b.Ints({1, 1})},
           {{"ellipsis_mask", 1}, {"shrink_axis_mask", 2}});
  const Output row = Expand(g, column, -2);
  const Output ones = g.Op("OnesLike", {row}), zeros = g.Op("ZerosLike", {row});
  return g.Op("TridiagonalMatMul", {up ? ones : zeros, zeros, up ? zeros : ones, x});
}
Output Rolled(NodeGradient& g, const Output& x, int64_t by) {
  return g.Op("Roll", {x, g.b.Int(by), g.b.Int(-1)});
}
Output SumRow(NodeGradient& g, const Output& x) {  // [.., n, k] to [.., 1, n]
  return Expand(g, g.Op("Sum", {x, g.b.Ints({-1})}), -2);
}

void TridiagonalMatMul(NodeGradient& g) {
  const Output dy = g.grad(), x = g.b.Conj(g.in(3));
  if (g.wanted(0)) g.Set(0, SumRow(g, g.Mul(Moved(g, x, true), dy)));
  if (g.wanted(1)) g.Set(1, SumRow(g, g.Mul(x, dy)));
  if (g.wanted(2)) g.Set(2, SumRow(g, g.Mul(Moved(g, x, false), dy)));
  if (!g.wanted(3)) return;
  g.Set(3, g.Op("TridiagonalMatMul", {Rolled(g, g.b.Conj(g.in(2)), -1), g.b.Conj(g.in(1)),
                                      Rolled(g, g.b.Conj(g.in(0)), 1), dy}));
}

void TridiagonalSolve(NodeGradient& g) {
  const Output x = g.b.Conj(g.out(0));
  const auto row = [&](int64_t i) {
    return g.b.Conj(
        g.Op("StridedSlice",
             {g.in(0), g.b.Ints({0, i, 0}), g.b.Ints({0, i + 1, 0}), g.b.Ints({1, 1, 1})},
             {{"ellipsis_mask", 1}, {"begin_mask", 4}, {"end_mask", 4}}));
  };
  const auto stacked = [&](const Output& a, const Output& b, const Output& c) {
    return g.Op("ConcatV2", {a, b, c, g.b.Int(-2)}, {{"N", 3}});
  };
  const Output turned = stacked(Rolled(g, row(2), -1), row(1), Rolled(g, row(0), 1));
  const Output db = g.Op("TridiagonalSolve", {turned, g.grad()}, g.attrs({"partial_pivoting"}));
  g.Set(1, db);
  if (!g.wanted(0)) return;
  const auto part = [&](const Output& other) { return SumRow(g, g.Mul(other, db)); };
  g.Set(0, g.Neg(stacked(part(Moved(g, x, true)), part(x), part(Moved(g, x, false)))));
}

// The gradient of one operand is another einsum: of dy and the other operand, over the operand's
// own labels. Labels that only this operand has were summed over, so the gradient is broadcast over
// them.
class EinsumGradient {
 public:
  explicit EinsumGradient(NodeGradient& g) : g_(g) {
    const std::string equation = absl::StrReplaceAll(g.attr<std::string>("equation"), {{" ", ""}});
    const std::vector<std::string> sides = absl::StrSplit(equation, "->");
    if (sides.size() != 2) return;
    inputs_ = absl::StrSplit(sides[0], ',');
    output_ = sides[1];
  }

  void SetAll() {
    if (inputs_.size() != static_cast<size_t>(g_.num_inputs()) || inputs_.size() > 2)
      return g_.b.Fail(InvalidArgument("gradient of ", g_.node.Label(), ": odd equation"));
    for (int i = 0; i < g_.num_inputs(); ++i) {
      if (g_.wanted(i)) g_.Set(i, Of(i));
    }
  }

 private:
  static bool Has(absl::string_view labels, absl::string_view label) {
    return absl::StrContains(labels, label);
  }
  // Each label once, "..." first.
  static std::string Distinct(absl::string_view labels) {
    std::string once = Has(labels, "...") ? "..." : "";
    for (char c : labels) {
      if (c != '.' && !Has(once, std::string(1, c))) once += c;
    }
    return once;
  }
  Output Einsum(std::initializer_list<Output> operands, const std::string& equation) {
    return g_.Op("Einsum", operands, {{"equation", equation}});
  }

  // `target` may lack labels of `from` that are under an ellipsis, which an equation does not
  // allow: they are summed.
  Output Contracted(std::initializer_list<Output> operands, const std::string& from,
                    const std::string& target) {
    if (!Has(from, "...") || Has(target, "...")) return Einsum(operands, from + "->" + target);
    const Output whole = Einsum(operands, from + "->..." + target);
    const auto named = static_cast<int64_t>(target.size());
    const Output hidden = Difference(g_, g_.Op("Rank", {whole}), g_.b.Int(named));
    return g_.Op("Sum", {whole, g_.Op("Range", {g_.b.Int(0), hidden, g_.b.Int(1)})});
  }

  Output Of(int i) {
    const std::string& own = inputs_[i];
    const bool pair = inputs_.size() == 2;
    const std::string others = output_ + (pair ? inputs_[1 - i] : "");
    const std::string all = Distinct(own);
    // dy has no repeated labels: a repeated output label was spread over a diagonal.
    const std::string flow_labels = Distinct(output_);
    Output flow = g_.grad();
    if (flow_labels != output_) flow = Einsum({flow}, output_ + "->" + flow_labels);
    std::string target;
    for (char c : all) {
      if (c != '.' && Has(others, std::string(1, c))) target += c;
    }
    if (Has(own, "...") && Has(others, "...")) target = "..." + target;
    const Output partial = pair ? Contracted({flow, g_.b.Conj(g_.in(1 - i))},
                                             flow_labels + "," + inputs_[1 - i], target)
                                : Contracted({flow}, flow_labels, target);
    const bool whole = target == all && !Has(own, "...");
    const Output dense = whole ? partial : Spread(i, partial, target, all);
    return all == own ? dense : Einsum({dense}, all + "->" + own);
  }

  // `x` with labels `from` as an array with the operand's labels `all`. Missing labels are
  // broadcast; labels that the ellipsis broadcast are summed.
  Output Spread(int i, const Output& x, const std::string& from, const std::string& all) {
    const Output like = all == inputs_[i] ? g_.in(i) : Einsum({g_.in(i)}, inputs_[i] + "->" + all);
    const Output ones = g_.Op("OnesLike", {like});
    const Output wide = from == all ? x : Einsum({x, ones}, from + "," + all + "->" + all);
    return SumToShapeOf(g_.b, wide, like, wide);
  }

  NodeGradient& g_;
  std::vector<std::string> inputs_;
  std::string output_;
};

void Einsum(NodeGradient& g) { EinsumGradient(g).SetAll(); }

}  // namespace

void AddLinalgGradients(GradientTable& table) {
  table["MatrixInverse"] = Inverse;
  table["MatrixDeterminant"] = Determinant;
  table["LogMatrixDeterminant"] = LogDeterminant;
  table["Cholesky"] = Cholesky;
  table["MatrixSolve"] = MatrixSolve;
  table["BandedTriangularSolve"] = BandedTriangularSolve;
  table["MatrixTriangularSolve"] = TriangularSolve;
  table["MatrixSolveLs"] = SolveLs;
  table["SelfAdjointEigV2"] = SelfAdjointEig;
  table["Svd"] = Svd;
  table["Qr"] = Qr;
  table["MatrixSquareRoot"] = SquareRoot;
  table["TridiagonalMatMul"] = TridiagonalMatMul;
  table["TridiagonalSolve"] = TridiagonalSolve;
  table["Einsum"] = Einsum;
}

}  // namespace sluice::graph
