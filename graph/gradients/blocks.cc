#include "graph/gradients/node_gradient.h"

// Gradients of patches and simulated quantisation.

namespace sluice::graph {
namespace {

// The gradient passes as it is.
void Straight(NodeGradient& g) { g.Set(0, g.grad()); }

void FakeQuantArgs(NodeGradient& g) {
  g.Set(0, g.Op("FakeQuantWithMinMaxArgsGradient", {g.grad(), g.in(0)},
                g.attrs({"min", "max", "num_bits", "narrow_range"})));
}

void FakeQuantVars(NodeGradient& g) {
  const std::vector<Output> all =
      g.b.Ops(g.node.op() + "Gradient", {g.grad(), g.in(0), g.in(1), g.in(2)},
              g.attrs({"num_bits", "narrow_range"}));
  for (size_t i = 0; i < all.size(); ++i) g.Set(static_cast<int>(i), all[i]);
}

// Which element of an input without batch and depth each element of a patch came from: patches of
// the numbers 1, 2, ...; 0 is padding. What flows back is summed by those numbers.
void Patches(NodeGradient& g) {
  const bool image = g.node.op() == "ExtractImagePatches";
  const int64_t spatial = image ? 2 : 3;
  const Output x = g.in(0), shape = g.b.ShapeOf(x), one = g.b.Int(1);
  const auto part = [&](const Output& sizes, int64_t begin, int64_t count) {
    return g.Op("Slice", {sizes, g.b.Ints({begin}), g.b.Ints({count})});
  };
  const auto join = [&](std::vector<Output> parts) {
    const auto n = static_cast<int64_t>(parts.size());
    parts.push_back(g.b.Int(0));
    return g.Op("ConcatV2", parts, {{"N", n}});
  };
  const Output batch = part(shape, 0, 1), space = part(shape, 1, spatial),
               depth = part(shape, 1 + spatial, 1), ones = g.b.Ints({1});
  const Output count = g.Op("Prod", {space, g.b.Int(0)});
  // Doubles hold every number, and both ops take them.
  const Output numbers =
      g.Op("Cast", {g.Op("Range", {one, g.Op("Add", {count, one}), one})}, {{"DstT", kDouble}});
  const Output source = g.Op(g.node.op(), {g.Op("Reshape", {numbers, join({ones, space, ones})})},
                             image ? g.attrs({"ksizes", "strides", "rates", "padding"})
                                   : g.attrs({"ksizes", "strides", "padding"}));
  const Output ids = g.Op(
      "Sub", {g.Op("Cast", {g.Op("Reshape", {source, g.b.Ints({-1})})}, {{"DstT", kInt32}}), one});
  // [batch, elements, depth] -> [elements, batch, depth], summed to [inputs, batch, depth].
  const Output taps = g.Op("Reshape", {g.Op("Size", {ids}), g.b.Ints({1})});
  const Output rows = g.Op("Reshape", {g.grad(), join({batch, taps, depth})});
  const Output swap = g.b.Ints({1, 0, 2});
  const Output sums = g.Op("UnsortedSegmentSum", {g.Op("Transpose", {rows, swap}), ids, count});
  g.Set(0, g.Op("Reshape", {g.Op("Transpose", {sums, swap}), shape}));
}

}  // namespace

void AddBlockGradients(GradientTable& table) {
  for (auto op : {"QuantizeAndDequantize", "QuantizeAndDequantizeV2", "QuantizeAndDequantizeV3"})
    table[op] = Straight;
  table["FakeQuantWithMinMaxArgs"] = FakeQuantArgs;
  for (auto op : {"FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"})
    table[op] = FakeQuantVars;
  for (auto op : {"ExtractImagePatches", "ExtractVolumePatches"}) table[op] = Patches;
}

}  // namespace sluice::graph
