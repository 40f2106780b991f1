// SPDX-License-Identifier: Apache-2.0
// Gradients of random samples by their parameters.
#include <cmath>
#include <limits>

#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The sample dimensions come before the dimensions of alpha.
void RandomGamma(NodeGradient& g) {
  if (!g.wanted(1)) return;
  const Output slope = g.Op("RandomGammaGrad", {g.in(1), g.out(0)});
  const Output axes = g.Op("Range", {g.b.Int(0), g.Op("Size", {g.in(0)}), g.b.Int(1)});
  g.Set(1, g.Op("Sum", {g.Mul(g.grad(), slope), axes}));
}

// The shape includes the dimensions of alpha, which is the last input.
void StatelessGamma(NodeGradient& g) {
  const int alpha = g.num_inputs() - 1;
  if (!g.wanted(alpha)) return;
  const Output slope = g.Op("RandomGammaGrad", {g.in(alpha), g.out(0)});
  const Output outer = g.Op("Sub", {g.Op("Size", {g.in(0)}), g.Op("Rank", {g.in(alpha)})});
  const Output axes = g.Op("Range", {g.b.Int(0), outer, g.b.Int(1)});
  g.Set(alpha, g.Op("Sum", {g.Mul(g.grad(), slope), axes}));
}

// A sample is where the distribution function of the standard normal one has the drawn share of its
// rise from the lower to the upper bound. The share stays while a parameter changes.
// Inputs: shape, seed, means, stddevs, minvals, maxvals.
void TruncatedNormal(NodeGradient& g) {
  const DType dtype = g.out(0).dtype();
  const bool wide = dtype == kDouble;
  const double least =
      wide ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
  const double step =
      wide ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  const auto sub = [&](const Output& x, const Output& y) { return g.Op("Sub", {x, y}); };
  const auto standard = [&](const Output& x) {
    return g.Op("RealDiv", {sub(x, g.in(2)), g.in(3)});
  };
  const auto distribution = [&](const Output& x) {
    return g.Scaled(g.Op("Erfc", {g.Scaled(x, -std::sqrt(0.5))}), 0.5);
  };
  const Output sample = standard(g.out(0)), low = standard(g.in(4)), high = standard(g.in(5));
  const Output below = distribution(low);
  Output drawn =
      g.Op("RealDiv", {sub(distribution(sample), below), sub(distribution(high), below)});
  drawn = g.Op("Maximum", {drawn, g.b.ScalarOf(dtype, least)});
  drawn = g.Op("Minimum", {drawn, g.b.ScalarOf(dtype, 1 - step)});
  // The density at the bound over that at the sample, times a share.
  const auto by_bound = [&](const Output& bound, const Output& log_of_share) {
    const Output squares = sub(g.Op("Square", {sample}), g.Op("Square", {bound}));
    return g.Op("Exp", {g.Op("AddV2", {g.Scaled(squares, 0.5), log_of_share})});
  };
  const auto set = [&](int i, const Output& gradient) {
    g.Set(i, SumToShapeOf(g.b, gradient, g.in(i), g.out(0)));
  };
  if (g.wanted(2)) set(2, g.grad());
  if (g.wanted(3)) set(3, g.Mul(g.grad(), sample));
  if (g.wanted(4)) set(4, g.Mul(g.grad(), by_bound(low, g.Op("Log1p", {g.Neg(drawn)}))));
  if (g.wanted(5)) set(5, g.Mul(g.grad(), by_bound(high, g.Op("Log", {drawn}))));
}

}  // namespace

void AddRandomGradients(GradientTable& table) {
  table["RandomGamma"] = RandomGamma;
  table["StatelessParameterizedTruncatedNormal"] = TruncatedNormal;
  table["StatelessRandomGammaV2"] = StatelessGamma;
  table["StatelessRandomGammaV3"] = StatelessGamma;
}

}  // namespace sluice::graph
