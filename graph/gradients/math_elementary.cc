// SPDX-License-Identifier: Apache-2.0
// Gradients of elementary and special functions, of parts of complex numbers, and of the other
// element-wise arithmetic. x is in(0), y = out(0), dy the gradient of y.
#include <cmath>

#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

Output One(NodeGradient& g) { return g.b.ScalarOf(g.in(0).dtype(), 1); }
Output X(NodeGradient& g) { return g.b.Conj(g.in(0)); }
Output SquareOf(NodeGradient& g, const Output& x) { return g.Op("Square", {x}); }

// dy / divisor(g).
template <Output (*kDivisor)(NodeGradient&)>
void Over(NodeGradient& g) {
  g.Set(0, g.Op("RealDiv", {g.grad(), kDivisor(g)}));
}
// dy * factor(g).
template <Output (*kFactor)(NodeGradient&)>
void Times(NodeGradient& g) {
  g.Set(0, g.Mul(g.grad(), kFactor(g)));
}

Output RootOfOneLessSquare(NodeGradient& g) {
  return g.Op("Sqrt", {g.Op("Sub", {One(g), SquareOf(g, X(g))})});
}
Output MinusRootOfOneLessSquare(NodeGradient& g) { return g.Neg(RootOfOneLessSquare(g)); }
Output OneLessSquare(NodeGradient& g) { return g.Op("Sub", {One(g), SquareOf(g, X(g))}); }
Output OneAndSquare(NodeGradient& g) { return g.Op("AddV2", {One(g), SquareOf(g, X(g))}); }
Output SinhOfResult(NodeGradient& g) { return g.Op("Sinh", {g.b.Conj(g.out(0))}); }
Output CoshOfResult(NodeGradient& g) { return g.Op("Cosh", {g.b.Conj(g.out(0))}); }
Output SquaredCosine(NodeGradient& g) { return SquareOf(g, g.Op("Cos", {X(g)})); }
Output CoshOfX(NodeGradient& g) { return g.Op("Cosh", {X(g)}); }
Output SinhOfX(NodeGradient& g) { return g.Op("Sinh", {X(g)}); }
Output DigammaOfX(NodeGradient& g) { return g.Op("Digamma", {g.in(0)}); }
Output Trigamma(NodeGradient& g) { return g.Op("Polygamma", {One(g), g.in(0)}); }

Output Bell(NodeGradient& g, const Output& x, double factor) {
  return g.Scaled(g.Op("Exp", {g.Neg(SquareOf(g, x))}), factor);
}
Output MinusErf(NodeGradient& g) { return Bell(g, g.in(0), -2 / std::sqrt(M_PI)); }
Output InverseErf(NodeGradient& g) {
  return g.Scaled(g.Op("Exp", {SquareOf(g, g.out(0))}), std::sqrt(M_PI) / 2);
}
Output InverseNormal(NodeGradient& g) {
  return g.Scaled(g.Op("Exp", {g.Scaled(SquareOf(g, g.out(0)), 0.5)}), std::sqrt(2 * M_PI));
}

// The slope of a function scaled by exp(-|x|), from that of the unscaled function.
Output SlopeOfScaled(NodeGradient& g, const Output& slope) {
  return g.Op("Sub", {slope, g.Mul(g.Op("Sign", {g.in(0)}), g.out(0))});
}
Output Bessel0(NodeGradient& g) { return g.Op("BesselI1", {g.in(0)}); }
Output ScaledBessel0(NodeGradient& g) { return SlopeOfScaled(g, g.Op("BesselI1e", {g.in(0)})); }
// i0 - y / x, and 1/2 at 0.
Output SlopeOfBessel1(NodeGradient& g, absl::string_view i0) {
  const Output x = g.in(0);
  const Output zero = g.Op("Equal", {x, g.b.ScalarOf(x.dtype(), 0)});
  const Output safe = g.Op("Select", {zero, g.Op("OnesLike", {x}), x});
  const Output away = g.Op("Sub", {g.Op(i0, {x}), g.Op("RealDiv", {g.out(0), safe})});
  return g.Op("Select", {zero, g.Scaled(g.Op("OnesLike", {x}), 0.5), away});
}
Output Bessel1(NodeGradient& g) { return SlopeOfBessel1(g, "BesselI0"); }
Output ScaledBessel1(NodeGradient& g) { return SlopeOfScaled(g, SlopeOfBessel1(g, "BesselI0e")); }

Output OfX(NodeGradient& g, absl::string_view op) { return g.Op(op, {g.in(0)}); }
Output ResultOverX(NodeGradient& g) { return g.Op("RealDiv", {g.out(0), g.in(0)}); }
Output BesselJ0(NodeGradient& g) { return g.Neg(OfX(g, "BesselJ1")); }
Output BesselJ1(NodeGradient& g) { return SlopeOfBessel1(g, "BesselJ0"); }
Output BesselY0(NodeGradient& g) { return g.Neg(OfX(g, "BesselY1")); }
Output BesselY1(NodeGradient& g) { return g.Op("Sub", {OfX(g, "BesselY0"), ResultOverX(g)}); }
Output BesselK0(NodeGradient& g) { return g.Neg(OfX(g, "BesselK1")); }
Output BesselK1(NodeGradient& g) {
  return g.Neg(g.Op("AddV2", {OfX(g, "BesselK0"), ResultOverX(g)}));
}
// Of the functions scaled by exp(x).
Output BesselK0e(NodeGradient& g) { return g.Op("Sub", {g.out(0), OfX(g, "BesselK1e")}); }
Output BesselK1e(NodeGradient& g) {
  return g.Op("Sub", {g.Op("Sub", {g.out(0), ResultOverX(g)}), OfX(g, "BesselK0e")});
}

Output Dawson(NodeGradient& g) {
  return g.Op("Sub", {One(g), g.Scaled(g.Mul(g.in(0), g.out(0)), 2)});
}
Output Expint(NodeGradient& g) { return g.Op("RealDiv", {OfX(g, "Exp"), g.in(0)}); }
Output FresnelAngle(NodeGradient& g) { return g.Scaled(SquareOf(g, g.in(0)), M_PI / 2); }
Output FresnelCos(NodeGradient& g) { return g.Op("Cos", {FresnelAngle(g)}); }
Output FresnelSin(NodeGradient& g) { return g.Op("Sin", {FresnelAngle(g)}); }
// log(x) / (1 - x), and -1 at 1.
Output Spence(NodeGradient& g) {
  const Output x = g.in(0);
  const Output away = g.Op("RealDiv", {OfX(g, "Log"), g.Op("Sub", {One(g), x})});
  return g.Op("Select", {g.Op("Equal", {x, One(g)}), g.Neg(OfX(g, "OnesLike")), away});
}

// Of InvGrad(y, dy) = -dy y^2.
void ReciprocalGrad(NodeGradient& g) {
  const Output y = g.b.Conj(g.in(0)), flow = g.grad();
  if (g.wanted(0)) g.Set(0, g.Mul(g.Scaled(g.b.Conj(flow), -2), g.Mul(g.in(1), y)));
  if (g.wanted(1)) g.Set(1, g.Op(g.node.op(), {y, flow}));
}

void Atan2(NodeGradient& g) {
  const Output y = g.in(0), x = g.in(1);
  const Output scaled =
      g.Op("RealDiv", {g.grad(), g.Op("AddV2", {SquareOf(g, x), SquareOf(g, y)})});
  g.SetBroadcast(g.Mul(x, scaled), g.Neg(g.Mul(y, scaled)));
}

void MulNoNan(NodeGradient& g) {
  const Output dy = g.grad();
  g.SetBroadcast(g.wanted(0) ? g.Op("MulNoNan", {dy, g.in(1)}) : Output{},
                 g.wanted(1) ? g.Op("MulNoNan", {g.in(0), dy}) : Output{});
}

Output NotZero(NodeGradient& g, const Output& x) {
  return g.Op("Cast", {g.Op("NotEqual", {x, g.b.ScalarOf(x.dtype(), 0)})}, {{"DstT", x.dtype()}});
}

void Xdivy(NodeGradient& g) {
  const Output x = X(g), y = g.b.Conj(g.in(1)), dy = g.grad();
  g.SetBroadcast(g.Mul(g.Op("Xdivy", {NotZero(g, x), y}), dy),
                 g.Mul(g.Op("Xdivy", {g.Neg(x), SquareOf(g, y)}), dy));
}
void Xlogy(NodeGradient& g) {
  const Output x = X(g), y = g.b.Conj(g.in(1)), dy = g.grad();
  const bool plus_one = g.node.op() == "Xlog1py";
  const Output divisor = plus_one ? g.Op("AddV2", {y, g.b.ScalarOf(y.dtype(), 1)}) : y;
  g.SetBroadcast(g.Mul(g.Op(g.node.op(), {NotZero(g, x), y}), dy),
                 g.Mul(g.Op("Xdivy", {x, divisor}), dy));
}

// d/dx of the incomplete gamma functions is -+ the density of the gamma distribution.
void Igamma(NodeGradient& g) {
  const Output a = g.in(0), x = g.in(1);
  const Output dy = g.node.op() == "Igamma" ? g.grad() : g.Neg(g.grad());
  Output da, dx;
  if (g.wanted(0)) da = g.Mul(dy, g.Op("IgammaGradA", {a, x}));
  if (g.wanted(1)) {
    const Output power = g.Op("Xlogy", {g.Op("Sub", {a, g.b.ScalarOf(a.dtype(), 1)}), x});
    const Output log = g.Op("Sub", {g.Op("Sub", {power, x}), g.Op("Lgamma", {a})});
    dx = g.Mul(dy, g.Op("Exp", {log}));
  }
  g.SetBroadcast(da, dx);
}

// For x only.
void Betainc(NodeGradient& g) {
  if (!g.wanted(2)) return;
  const Output a = g.in(0), b = g.in(1), x = g.in(2), one = One(g);
  const Output beta = g.Op("Sub", {g.Op("AddV2", {g.Op("Lgamma", {a}), g.Op("Lgamma", {b})}),
                                   g.Op("Lgamma", {g.Op("AddV2", {a, b})})});
  const Output rest = g.Mul(g.Op("Sub", {b, one}), g.Op("Log1p", {g.Neg(x)}));
  const Output power = g.Op("Xlogy", {g.Op("Sub", {a, one}), x});
  const Output density = g.Op("Exp", {g.Op("Sub", {g.Op("AddV2", {rest, power}), beta})});
  g.Set(2, SumToShapeOf(g.b, g.Mul(g.grad(), density), x, g.out(0)));
}

// For the second argument only.
void Zeta(NodeGradient& g) {
  const Output x = g.in(0), q = g.in(1);
  const Output slope = g.Mul(g.Neg(x), g.Op("Zeta", {g.Op("AddV2", {x, One(g)}), q}));
  if (g.wanted(1)) g.Set(1, SumToShapeOf(g.b, g.Mul(g.grad(), slope), q, x));
}
void Polygamma(NodeGradient& g) {
  const Output n = g.in(0), x = g.in(1);
  const Output slope = g.Op("Polygamma", {g.Op("AddV2", {n, One(g)}), x});
  if (g.wanted(1)) g.Set(1, SumToShapeOf(g.b, g.Mul(g.grad(), slope), x, n));
}

// NextAfter moves with its first argument, not with its second.
void NextAfter(NodeGradient& g) {
  g.SetBroadcast(g.grad(), g.wanted(1) ? g.Op("ZerosLike", {g.grad()}) : Output{});
}

void Cross(NodeGradient& g) {
  if (g.wanted(0)) g.Set(0, g.Op("Cross", {g.in(1), g.grad()}));
  if (g.wanted(1)) g.Set(1, g.Op("Cross", {g.grad(), g.in(0)}));
}

// The sum over later y_j of dy_j exp(x_i - y_j), as a running log-sum-exp of each sign.
void CumulativeLogsumexp(NodeGradient& g) {
  const Output dy = g.grad(), x = g.in(0), y = g.out(0);
  const Output zero = g.b.ScalarOf(x.dtype(), 0);
  const Output lowest = g.Op(
      "Fill", {g.Op("Shape", {x}), g.b.ScalarOf(x.dtype(), x.dtype() == kHalf ? -65504 : -1e38)});
  AttrMap attrs = g.attrs({"exclusive"});
  attrs["reverse"] = !g.attr<bool>("reverse");
  const auto part = [&](absl::string_view comparison, const Output& size) {
    const Output chosen = g.Op(comparison, {dy, zero});
    const Output safe = g.Op("Select", {chosen, size, g.Op("OnesLike", {x})});
    const Output log = g.Op("Select", {chosen, g.Op("Log", {safe}), lowest});
    const Output sum =
        g.Op("CumulativeLogsumexp", {g.Op("Sub", {log, y}), g.in(1)}, AttrMap(attrs));
    return g.Op("Exp", {g.Op("AddV2", {sum, x})});
  };
  g.Set(0, g.Op("Sub", {part("Greater", dy), part("Less", g.Neg(dy))}));
}

// Complex numbers. Gradients are the conjugates of complex derivatives.
Output AsComplex(NodeGradient& g, const Output& real, const Output& imaginary) {
  const DType dtype = real.dtype() == kDouble ? kComplex128 : kComplex64;
  return g.Op("Complex", {real, imaginary}, {{"Tout", dtype}});
}
Output Part(NodeGradient& g, absl::string_view op, const Output& z) {
  return g.Op(op, {z}, {{"Tout", z.dtype() == kComplex128 ? kDouble : kFloat}});
}

void Complex(NodeGradient& g) {
  g.SetBroadcast(Part(g, "Real", g.grad()), Part(g, "Imag", g.grad()));
}
void Real(NodeGradient& g) { g.Set(0, AsComplex(g, g.grad(), g.Op("ZerosLike", {g.grad()}))); }
void Imag(NodeGradient& g) { g.Set(0, AsComplex(g, g.Op("ZerosLike", {g.grad()}), g.grad())); }
void ComplexAbs(NodeGradient& g) {
  const Output dy = g.grad();
  g.Set(0, g.Mul(AsComplex(g, dy, g.Op("ZerosLike", {dy})), g.Op("Sign", {g.in(0)})));
}
void Angle(NodeGradient& g) {
  const Output z = g.in(0), dy = g.grad();
  const Output turned = g.Op("Reciprocal", {AsComplex(g, Part(g, "Imag", z), Part(g, "Real", z))});
  g.Set(0, g.Neg(g.Mul(AsComplex(g, dy, g.Op("ZerosLike", {dy})), turned)));
}

void Pass(NodeGradient& g) {
  for (int i = 0; i < g.num_inputs(); ++i) g.Set(i, g.incoming());
}

}  // namespace

void AddMathElementaryGradients(GradientTable& table) {
  table["Asin"] = Over<RootOfOneLessSquare>;
  table["Acos"] = Over<MinusRootOfOneLessSquare>;
  table["Atan"] = Over<OneAndSquare>;
  table["Asinh"] = Over<CoshOfResult>;
  table["Acosh"] = Over<SinhOfResult>;
  table["Atanh"] = Over<OneLessSquare>;
  table["Tan"] = Over<SquaredCosine>;
  table["Sinh"] = Times<CoshOfX>;
  table["Cosh"] = Times<SinhOfX>;
  table["Erfc"] = Times<MinusErf>;
  table["Erfinv"] = Times<InverseErf>;
  table["Ndtri"] = Times<InverseNormal>;
  table["Lgamma"] = Times<DigammaOfX>;
  table["Digamma"] = Times<Trigamma>;
  table["BesselI0"] = Times<Bessel0>;
  table["BesselI0e"] = Times<ScaledBessel0>;
  table["BesselI1"] = Times<Bessel1>;
  table["BesselI1e"] = Times<ScaledBessel1>;
  table["BesselJ0"] = Times<BesselJ0>;
  table["BesselJ1"] = Times<BesselJ1>;
  table["BesselK0"] = Times<BesselK0>;
  table["BesselK0e"] = Times<BesselK0e>;
  table["BesselK1"] = Times<BesselK1>;
  table["BesselK1e"] = Times<BesselK1e>;
  table["BesselY0"] = Times<BesselY0>;
  table["BesselY1"] = Times<BesselY1>;
  table["Dawsn"] = Times<Dawson>;
  table["Expint"] = Times<Expint>;
  table["FresnelCos"] = Times<FresnelCos>;
  table["FresnelSin"] = Times<FresnelSin>;
  table["Spence"] = Times<Spence>;
  for (auto op : {"InvGrad", "ReciprocalGrad"}) table[op] = ReciprocalGrad;
  table["Atan2"] = Atan2;
  table["MulNoNan"] = MulNoNan;
  table["Xdivy"] = Xdivy;
  for (auto op : {"Xlogy", "Xlog1py"}) table[op] = Xlogy;
  for (auto op : {"Igamma", "Igammac"}) table[op] = Igamma;
  table["Betainc"] = Betainc;
  table["Zeta"] = Zeta;
  table["Polygamma"] = Polygamma;
  table["NextAfter"] = NextAfter;
  table["Cross"] = Cross;
  table["CumulativeLogsumexp"] = CumulativeLogsumexp;
  table["Complex"] = Complex;
  table["Real"] = Real;
  table["Imag"] = Imag;
  table["ComplexAbs"] = ComplexAbs;
  table["Angle"] = Angle;
  table["AccumulateNV2"] = Pass;
}

}  // namespace sluice::graph
