// SPDX-License-Identifier: Apache-2.0
// Gradients of reductions and scans.
#include <algorithm>

#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The axes of a reduction of known rank, none negative; empty if rank or axes are unknown.
std::optional<std::vector<bool>> Reduced(NodeGradient& g) {
  const auto axes = g.b.Known(g.in(1));
  const int rank = g.b.shape(g.in(0)).rank();
  if (!axes || rank < 0) return std::nullopt;
  std::vector<bool> reduced(rank, false);
  for (int64_t axis : *axes) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    reduced[axis < 0 ? axis + rank : axis] = true;
  }
  return reduced;
}

// The axes of the reduction at run time, none negative.
Output FrontAxes(NodeGradient& g, const Output& rank) {
  const Output axes = g.Op("Cast", {g.in(1)}, {{"DstT", kInt32}});
  const Output flat = g.Op("Reshape", {axes, g.b.Ints({-1})});
  return g.Op("FloorMod", {g.Op("AddV2", {flat, rank}), rank});
}

// The shape of x with ones for the reduced axes, computed at run time.
Output KeptShape(NodeGradient& g) {
  const Output x = g.in(0);
  const Output rank = g.Op("Rank", {x});
  const Output axes = FrontAxes(g, rank);
  const Output all = g.Op("Range", {g.b.Int(0), rank, g.b.Int(1)});
  const Output ones = g.Op("Fill", {g.Op("Shape", {axes}), g.b.Int(1)});
  return g.Op("DynamicStitch", {all, axes, g.Op("Shape", {x}), ones}, {{"N", 2}});
}

// A tensor of the reduction's output shape with its reduced sizes back as ones.
Output Kept(NodeGradient& g, const Output& reduced_value) {
  if (g.attr<bool>("keep_dims")) return reduced_value;
  const auto reduced = Reduced(g);
  if (!reduced) return g.Op("Reshape", {reduced_value, KeptShape(g)});
  const PartialShape& shape = g.b.shape(g.in(0));
  std::vector<int64_t> kept(shape.dims().begin(), shape.dims().end());
  int unknown = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    if ((*reduced)[i]) kept[i] = 1;
    unknown += kept[i] < 0 ? 1 : 0;
  }
  if (unknown > 1) return g.Op("Reshape", {reduced_value, KeptShape(g)});
  return g.Op("Reshape", {reduced_value, g.b.Ints(kept)});
}

Output Spread(NodeGradient& g, const Output& gradient) {
  return g.Op("BroadcastTo", {Kept(g, gradient), g.b.ShapeOf(g.in(0))});
}

void Sum(NodeGradient& g) { g.Set(0, Spread(g, g.grad())); }

void Mean(NodeGradient& g) {
  const DType dtype = g.in(0).dtype();
  const auto known_in = g.b.shape(g.in(0)).ToShape();
  const auto known_out = g.b.shape(g.out(0)).ToShape();
  Output count;
  if (known_in.ok() && known_out.ok()) {
    const int64_t out = std::max<int64_t>(1, known_out->num_elements());
    count = g.b.ScalarOf(dtype, static_cast<double>(known_in->num_elements()) / out);
  } else {
    const Output out = g.Op("Maximum", {g.b.SizeOf(g.out(0), kInt64), g.b.ScalarOf(kInt64, 1)});
    const Output each = g.Op("FloorDiv", {g.b.SizeOf(g.in(0), kInt64), out});
    count = g.Op("Cast", {each}, {{"DstT", dtype}});
  }
  g.Set(0, Spread(g, g.Op("RealDiv", {g.grad(), count})));
}

// All elements that equal the extreme value get equal parts.
void Extremum(NodeGradient& g) {
  const Output x = g.in(0);
  const Output attains =
      g.Op("Cast", {g.Op("Equal", {x, Kept(g, g.out(0))})}, {{"DstT", x.dtype()}});
  const Output count = g.Op("Sum", {attains, g.in(1)}, {{"keep_dims", true}});
  g.Set(0, g.Mul(g.Op("RealDiv", {attains, count}), Kept(g, g.grad())));
}

void Cumsum(NodeGradient& g) {
  AttrMap attrs = g.attrs({"exclusive"});
  attrs["reverse"] = !g.attr<bool>("reverse");
  g.Set(0, g.Op("Cumsum", {g.grad(), g.in(1)}, std::move(attrs)));
}

// NaN where x is 0, as in TensorFlow.
void Cumprod(NodeGradient& g) {
  const Output products =
      g.b.Conj(g.Op("Cumprod", {g.in(0), g.in(1)}, g.attrs({"exclusive", "reverse"})));
  AttrMap attrs = g.attrs({"exclusive"});
  attrs["reverse"] = !g.attr<bool>("reverse");
  const Output sums = g.Op("Cumsum", {g.Mul(products, g.grad()), g.in(1)}, std::move(attrs));
  g.Set(0, g.Op("RealDiv", {sums, g.b.Conj(g.in(0))}));
}

// The permutation that moves the reduced axes to the front and keeps the order of the others.
Output ReducedFirst(NodeGradient& g) {
  if (const auto reduced = Reduced(g)) {
    std::vector<int64_t> order;
    for (bool first : {true, false}) {
      for (size_t i = 0; i < reduced->size(); ++i) {
        if ((*reduced)[i] == first) order.push_back(static_cast<int64_t>(i));
      }
    }
    return g.b.Ints(order);
  }
  const Output rank = g.Op("Rank", {g.in(0)});
  const Output all = g.Op("Range", {g.b.Int(0), rank, g.b.Int(1)});
  const Output axes = FrontAxes(g, rank);
  const Output rest = g.Op("ListDiff", {all, axes});
  return g.Op("ConcatV2", {axes, rest, g.b.Int(0)}, {{"N", 2}});
}

// The product of all other elements along the axes. Division would be wrong beside a zero, so these
// are running products from both sides, with the axes moved together to the front.
void Product(NodeGradient& g) {
  const Output x = g.in(0), perm = ReducedFirst(g), zero = g.b.Int(0);
  const Output moved = g.Op("Transpose", {x, perm});
  const Output kept = g.b.SizeOf(g.out(0), kInt32);
  // [reduced, kept]: FloorDiv gives the first size.
  const Output rows =
      g.Op("FloorDiv", {g.b.SizeOf(x, kInt32), g.Op("Maximum", {kept, g.b.Int(1)})});
  const Output matrix = g.Op("Reshape", {moved, g.Op("Pack", {rows, kept}, {{"N", 2}})});
  const Output before = g.Op("Cumprod", {matrix, zero}, {{"exclusive", true}});
  const Output after = g.Op("Cumprod", {matrix, zero}, {{"exclusive", true}, {"reverse", true}});
  const Output others = g.Op("Reshape", {g.b.Conj(g.Mul(before, after)), g.Op("Shape", {moved})});
  const Output back = g.Op("Transpose", {others, g.Op("InvertPermutation", {perm})});
  g.Set(0, g.Mul(back, Kept(g, g.grad())));
}

}  // namespace

void AddMathReductionGradients(GradientTable& table) {
  table["Sum"] = Sum;
  table["Mean"] = Mean;
  for (auto op : {"Max", "Min"}) table[op] = Extremum;
  table["Prod"] = Product;
  table["Cumsum"] = Cumsum;
  table["Cumprod"] = Cumprod;
}

}  // namespace sluice::graph
