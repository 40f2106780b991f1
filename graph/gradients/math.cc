// SPDX-License-Identifier: Apache-2.0
// Gradients of element-wise arithmetic and of matrix products. dy is the gradient of the output.
// Conjugates are those of complex analysis and vanish for real types.
#include <algorithm>

#include "absl/strings/match.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

Output ZerosLike(NodeGradient& g, const Output& x) { return g.Op("ZerosLike", {x}); }

void Multiply(NodeGradient& g) {
  const Output dy = g.grad();
  g.SetBroadcast(g.wanted(0) ? g.Mul(dy, g.b.Conj(g.in(1))) : Output{},
                 g.wanted(1) ? g.Mul(dy, g.b.Conj(g.in(0))) : Output{});
}

// x / y: dy / y, and -dy (x / y) / y.
void Divide(NodeGradient& g) {
  const std::string& op = g.node.op();
  const Output dy = g.grad();
  const Output y = g.b.Conj(g.in(1));
  const Output dx = g.Op(op, {dy, y});
  const Output quotient = g.b.Conj(g.out(0));
  g.SetBroadcast(dx, g.wanted(1) ? g.Neg(g.Mul(dx, quotient)) : Output{});
}

// x^y: dy y x^(y-1), and dy x^y log x where that is defined.
void Power(NodeGradient& g) {
  const Output dy = g.grad();
  const Output x = g.b.Conj(g.in(0));
  const Output y = g.b.Conj(g.in(1));
  const Output one = g.b.ScalarOf(y.dtype(), 1);
  Output dx, dexponent;
  if (g.wanted(0)) dx = g.Mul(dy, g.Mul(y, g.Op("Pow", {x, g.Op("Sub", {y, one})})));
  if (g.wanted(1)) {
    const Output zero = g.b.ScalarOf(x.dtype(), 0);
    const Output defined =
        kComplex.contains(x.dtype()) ? g.Op("NotEqual", {x, zero}) : g.Op("Greater", {x, zero});
    const Output safe = g.Op("Select", {defined, x, g.Op("OnesLike", {x})});
    const Output log = g.Op("Select", {defined, g.Op("Log", {safe}), ZerosLike(g, x)});
    dexponent = g.Mul(dy, g.Mul(g.b.Conj(g.out(0)), log));
  }
  g.SetBroadcast(dx, dexponent);
}

// On a tie the gradient goes to x.
void Extremum(NodeGradient& g, absl::string_view comparison) {
  const Output dy = g.grad();
  const Output chosen = g.Op(comparison, {g.in(0), g.in(1)});
  const Output zeros = ZerosLike(g, dy);
  g.SetBroadcast(g.Op("Select", {chosen, dy, zeros}), g.Op("Select", {chosen, zeros, dy}));
}

// x - y floor(x / y).
void Modulus(NodeGradient& g) {
  const Output dy = g.grad();
  const Output times = g.Op("FloorDiv", {g.b.Conj(g.in(0)), g.b.Conj(g.in(1))});
  g.SetBroadcast(dy, g.wanted(1) ? g.Neg(g.Mul(dy, times)) : Output{});
}

void SquaredDifference(NodeGradient& g) {
  const Output twice = g.Scaled(g.Mul(g.grad(), g.Op("Sub", {g.in(0), g.in(1)})), 2);
  g.SetBroadcast(twice, g.wanted(1) ? g.Neg(twice) : Output{});
}

void ClipByValue(NodeGradient& g) {
  const Output dy = g.grad(), x = g.in(0), zeros = ZerosLike(g, dy);
  const Output low = g.Op("Less", {x, g.in(1)});
  const Output high = g.Op("Greater", {x, g.in(2)});
  g.Set(0, g.Op("Select", {g.Op("LogicalOr", {low, high}), zeros, dy}));
  if (g.wanted(1)) g.Set(1, SumToShapeOf(g.b, g.Op("Select", {low, dy, zeros}), g.in(1), x));
  if (g.wanted(2)) g.Set(2, SumToShapeOf(g.b, g.Op("Select", {high, dy, zeros}), g.in(2), x));
}

// Select takes one from x or y; SelectV2 broadcasts its three inputs.
void Select(NodeGradient& g) {
  const Output dy = g.grad(), zeros = ZerosLike(g, dy);
  Output dx = g.Op(g.node.op(), {g.in(0), dy, zeros});
  Output dother = g.Op(g.node.op(), {g.in(0), zeros, dy});
  if (g.node.op() == "SelectV2") {
    dx = SumToShapeOf(g.b, dx, g.in(1), g.out(0));
    dother = SumToShapeOf(g.b, dother, g.in(2), g.out(0));
  }
  g.Set(1, dx);
  g.Set(2, dother);
}

// a b with optional transpositions. In the four cases the factors are in different order.
struct Product {
  absl::string_view op, left_flag, right_flag;

  Output operator()(NodeGradient& g, Output x, Output y, bool tx, bool ty) const {
    return g.Op(op, {x, y}, {{std::string(left_flag), tx}, {std::string(right_flag), ty}});
  }
};

void DifferentiateProduct(NodeGradient& g, const Product& product, Output& da, Output& db) {
  const bool ta = g.attr<bool>(product.left_flag);
  const bool tb = g.attr<bool>(product.right_flag);
  // Batch products conjugate the operand that they transpose; the plain product does not.
  const bool adjoint = product.left_flag == "adj_x";
  const Output dy = g.grad();
  const Output a = adjoint ? g.in(0) : g.b.Conj(g.in(0));
  const Output b = adjoint ? g.in(1) : g.b.Conj(g.in(1));
  if (g.wanted(0)) da = ta ? product(g, b, dy, tb, true) : product(g, dy, b, false, !tb);
  if (g.wanted(1)) db = tb ? product(g, dy, a, true, ta) : product(g, a, dy, !ta, false);
}

void MatMul(NodeGradient& g) {
  Output da, db;
  DifferentiateProduct(g, {"MatMul", "transpose_a", "transpose_b"}, da, db);
  g.Set(0, da);
  g.Set(1, db);
}

// Operands may be bfloat16; the gradient is float.
void SparseMatMul(NodeGradient& g) {
  const auto cast = [&](const Output& x, DType dtype) {
    return x.dtype() == dtype ? x : g.Op("Cast", {x}, {{"DstT", dtype}});
  };
  const auto product = [&](const Output& x, const Output& y, bool tx, bool ty) {
    return g.Op("MatMul", {x, y}, {{"transpose_a", tx}, {"transpose_b", ty}});
  };
  const bool ta = g.attr<bool>("transpose_a"), tb = g.attr<bool>("transpose_b");
  const Output dy = g.grad(), a = cast(g.in(0), kFloat), b = cast(g.in(1), kFloat);
  if (g.wanted(0))
    g.Set(0, cast(ta ? product(b, dy, tb, true) : product(dy, b, false, !tb), g.in(0).dtype()));
  if (g.wanted(1))
    g.Set(1, cast(tb ? product(dy, a, true, ta) : product(a, dy, !ta, false), g.in(1).dtype()));
}

// Sums a batch product's gradient over the batch sizes that were broadcast.
Output SumBatches(NodeGradient& g, const Output& gradient, const Output& x, const Output& y) {
  const PartialShape &xs = g.b.shape(x), &ys = g.b.shape(y);
  if (xs.fully_known() && ys.fully_known() && xs.rank() == ys.rank()) {
    if (std::equal(xs.dims().begin(), xs.dims().end() - 2, ys.dims().begin())) return gradient;
  }
  const auto batch = [&](const Output& shape) {
    return g.Op("StridedSlice", {shape, g.b.Ints({0}), g.b.Ints({-2}), g.b.Ints({1})},
                {{"begin_mask", 1}});
  };
  const Output shape = g.b.ShapeOf(x);
  const Output axes = g.Op("BroadcastGradientArgs", {batch(shape), batch(g.b.ShapeOf(y))});
  return g.Op("Reshape", {g.Op("Sum", {gradient, axes}), shape});
}

void BatchMatMul(NodeGradient& g) {
  Output da, db;
  // V3 differs in the dtypes of integers only.
  const auto op = g.node.op() == "BatchMatMulV3" ? "BatchMatMulV2" : g.node.op();
  DifferentiateProduct(g, {op, "adj_x", "adj_y"}, da, db);
  const bool broadcasts = g.node.op() != "BatchMatMul";
  if (da) g.Set(0, broadcasts ? SumBatches(g, da, g.in(0), g.in(1)) : da);
  if (db) g.Set(1, broadcasts ? SumBatches(g, db, g.in(1), g.in(0)) : db);
}

void Cast(NodeGradient& g) {
  const DType source = RemoveRef(g.node.input_types[0]);
  g.Set(0, source == RemoveRef(g.node.output_types[0])
               ? g.grad()
               : g.Op("Cast", {g.grad()}, {{"DstT", source}}));
}

void AddN(NodeGradient& g) {
  for (int i = 0; i < g.num_inputs(); ++i) g.Set(i, g.incoming());
}

double TwoOverRootPi() { return 1.1283791670955126; }

void SegmentSum(NodeGradient& g) { g.Set(0, g.Op("GatherV2", {g.grad(), g.in(1), g.b.Int(0)})); }

// Rows with a negative id were dropped, so their gradient is zero.
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

// From y and dy, dy f(y): flow is the output's gradient, y and dy are the conjugates of the inputs.
struct OfPair {
  explicit OfPair(NodeGradient& g) : y(g.b.Conj(g.in(0))), dy(g.b.Conj(g.in(1))), flow(g.grad()) {}
  Output y, dy, flow;
};

void TanhGrad(NodeGradient& g) {  // dy (1 - y^2)
  const OfPair p(g);
  if (g.wanted(0)) g.Set(0, g.Scaled(g.Mul(g.Mul(p.flow, p.dy), p.y), -2));
  if (g.wanted(1)) g.Set(1, g.Op("TanhGrad", {p.y, p.flow}));
}

void SigmoidGrad(NodeGradient& g) {  // dy y (1 - y)
  const OfPair p(g);
  const Output both = g.Mul(p.flow, p.dy);
  if (g.wanted(0)) g.Set(0, g.Op("Sub", {both, g.Scaled(g.Mul(both, p.y), 2)}));
  if (g.wanted(1)) g.Set(1, g.Op("SigmoidGrad", {p.y, p.flow}));
}

void SqrtGrad(NodeGradient& g) {  // dy / 2y
  const Output scaled = g.Op("Xdivy", {g.grad(), g.in(0)});
  if (g.wanted(0)) g.Set(0, g.Neg(g.Op("MulNoNan", {g.out(0), g.b.Conj(scaled)})));
  if (g.wanted(1)) g.Set(1, g.Scaled(scaled, 0.5));
}

void RsqrtGrad(NodeGradient& g) {  // -dy y^3 / 2
  const OfPair p(g);
  const Output flow = g.b.Conj(p.flow);
  if (g.wanted(0)) g.Set(0, g.Mul(g.Mul(g.Scaled(flow, -1.5), g.in(1)), g.Op("Square", {p.y})));
  if (g.wanted(1)) g.Set(1, g.Op("RsqrtGrad", {p.y, p.flow}));
}

}  // namespace

void AddMathGradients(GradientTable& table) {
  // Two operands.
  for (auto op : {"Add", "AddV2"}) {
    table[op] = [](NodeGradient& g) { g.SetBroadcast(g.grad(), g.grad()); };
  }
  table["Sub"] = [](NodeGradient& g) {
    g.SetBroadcast(g.grad(), g.wanted(1) ? g.Neg(g.grad()) : Output{});
  };
  table["Mul"] = Multiply;
  for (auto op : {"Div", "RealDiv", "DivNoNan"}) table[op] = Divide;
  table["Pow"] = Power;
  table["Maximum"] = [](NodeGradient& g) { Extremum(g, "GreaterEqual"); };
  table["Minimum"] = [](NodeGradient& g) { Extremum(g, "LessEqual"); };
  table["FloorMod"] = Modulus;
  table["SquaredDifference"] = SquaredDifference;
  table["MatMul"] = MatMul;
  table["SparseMatMul"] = SparseMatMul;
  for (auto op : {"BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"}) table[op] = BatchMatMul;
  // One operand: x is in(0), y = out(0).
  table["Neg"] = [](NodeGradient& g) { g.Set(0, g.Neg(g.grad())); };
  table["Square"] = [](NodeGradient& g) {
    g.Set(0, g.Mul(g.grad(), g.Scaled(g.b.Conj(g.in(0)), 2)));
  };
  table["Sqrt"] = [](NodeGradient& g) { g.Set(0, g.Op("SqrtGrad", {g.out(0), g.grad()})); };
  table["Rsqrt"] = [](NodeGradient& g) { g.Set(0, g.Op("RsqrtGrad", {g.out(0), g.grad()})); };
  table["Exp"] = [](NodeGradient& g) { g.Set(0, g.Mul(g.grad(), g.b.Conj(g.out(0)))); };
  table["Expm1"] = [](NodeGradient& g) {
    g.Set(0, g.Mul(g.grad(), g.Op("Exp", {g.b.Conj(g.in(0))})));
  };
  table["Log"] = [](NodeGradient& g) { g.Set(0, g.Op("RealDiv", {g.grad(), g.b.Conj(g.in(0))})); };
  table["Log1p"] = [](NodeGradient& g) {
    const Output one = g.b.ScalarOf(g.in(0).dtype(), 1);
    g.Set(0, g.Op("RealDiv", {g.grad(), g.Op("AddV2", {one, g.b.Conj(g.in(0))})}));
  };
  for (auto op : {"Reciprocal", "Inv"}) {
    table[op] = [](NodeGradient& g) {
      const Output y = g.b.Conj(g.out(0));
      g.Set(0, g.Neg(g.Mul(g.grad(), g.Mul(y, y))));
    };
  }
  table["Sin"] = [](NodeGradient& g) {
    g.Set(0, g.Mul(g.grad(), g.Op("Cos", {g.b.Conj(g.in(0))})));
  };
  table["Cos"] = [](NodeGradient& g) {
    g.Set(0, g.Neg(g.Mul(g.grad(), g.Op("Sin", {g.b.Conj(g.in(0))}))));
  };
  table["Erf"] = [](NodeGradient& g) {
    const Output bell = g.Op("Exp", {g.Neg(g.Op("Square", {g.in(0)}))});
    g.Set(0, g.Mul(g.grad(), g.Scaled(bell, TwoOverRootPi())));
  };
  table["Abs"] = [](NodeGradient& g) { g.Set(0, g.Mul(g.grad(), g.Op("Sign", {g.in(0)}))); };
  table["Sign"] = [](NodeGradient& g) { g.Set(0, ZerosLike(g, g.in(0))); };
  table["Conj"] = [](NodeGradient& g) { g.Set(0, g.Op("Conj", {g.grad()})); };
  table["Tanh"] = [](NodeGradient& g) {
    g.Set(0, g.Op("TanhGrad", {g.b.Conj(g.out(0)), g.grad()}));
  };
  table["Sigmoid"] = [](NodeGradient& g) {
    g.Set(0, g.Op("SigmoidGrad", {g.b.Conj(g.out(0)), g.grad()}));
  };
  table["L2Loss"] = [](NodeGradient& g) { g.Set(0, g.Mul(g.in(0), g.grad())); };
  table["ClipByValue"] = ClipByValue;
  for (auto op : {"Select", "SelectV2"}) table[op] = Select;
  table["Cast"] = Cast;
  table["AddN"] = AddN;
  table["SegmentSum"] = SegmentSum;
  table["UnsortedSegmentSum"] = UnsortedSegmentSum;
  table["TanhGrad"] = TanhGrad;
  table["SigmoidGrad"] = SigmoidGrad;
  table["SqrtGrad"] = SqrtGrad;
  table["RsqrtGrad"] = RsqrtGrad;
}

}  // namespace sluice::graph
