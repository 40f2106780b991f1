// SPDX-License-Identifier: Apache-2.0
// Gradients of ops that move elements without reading them.
#include "absl/strings/match.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

void PassAll(NodeGradient& g) {
  for (int i = 0; i < g.num_inputs(); ++i) {
    if (g.has_grad(i)) g.Set(i, g.incoming(i));
  }
}

void ReshapeBack(NodeGradient& g) { g.Set(0, g.Op("Reshape", {g.grad(), g.b.ShapeOf(g.in(0))})); }

void Transpose(NodeGradient& g) {
  Output inverse;
  if (const auto perm = g.b.Known(g.in(1))) {
    std::vector<int64_t> to(perm->size());
    for (size_t i = 0; i < perm->size(); ++i) {
      const int64_t at = (*perm)[i];
      if (at >= 0 && at < static_cast<int64_t>(to.size())) to[at] = static_cast<int64_t>(i);
    }
    inverse = g.b.Ints(to);
  } else {
    inverse = g.Op("InvertPermutation", {g.in(1)});
  }
  g.Set(0, g.Op("Transpose", {g.grad(), inverse}));
}

// The sizes of the `count` inputs from `first` along a known axis; empty unless all are known.
std::optional<std::vector<int64_t>> SizesAlong(NodeGradient& g, int first, int count,
                                               const Output& axis_input) {
  const auto axis = g.b.Known(axis_input);
  if (!axis || axis->size() != 1) return std::nullopt;
  std::vector<int64_t> sizes;
  for (int i = 0; i < count; ++i) {
    const PartialShape& shape = g.b.shape(g.in(first + i));
    const int64_t at = (*axis)[0] < 0 ? (*axis)[0] + shape.rank() : (*axis)[0];
    if (!shape.rank_known() || at < 0 || at >= shape.rank() || shape.dim(at) < 0) {
      return std::nullopt;
    }
    sizes.push_back(shape.dim(static_cast<int>(at)));
  }
  return sizes;
}

void ConcatBack(NodeGradient& g, int first, int axis_at) {
  const int count = g.num_inputs() - 1;
  const Output axis = g.Op("Cast", {g.in(axis_at)}, {{"DstT", kInt32}});
  if (const auto sizes = SizesAlong(g, first, count, g.in(axis_at))) {
    const auto parts = g.b.Ops("SplitV", {g.grad(), g.b.Ints(*sizes), axis},
                               {{"num_split", static_cast<int64_t>(count)}});
    for (size_t i = 0; i < parts.size(); ++i) g.Set(first + static_cast<int>(i), parts[i]);
    return;
  }
  std::vector<Output> shapes = {axis};
  for (int i = 0; i < count; ++i) shapes.push_back(g.Op("Shape", {g.in(first + i)}));
  // ConcatOffset requires an axis that is not negative.
  shapes[0] = g.Op("FloorMod", {axis, g.Op("Size", {shapes[1]})});
  const auto offsets = g.b.Ops("ConcatOffset", shapes);
  for (size_t i = 0; i < offsets.size(); ++i) {
    g.Set(first + static_cast<int>(i), g.Op("Slice", {g.grad(), offsets[i], shapes[i + 1]}));
  }
}

std::vector<Output> AllGrads(NodeGradient& g) {
  std::vector<Output> grads;
  for (int i = 0; i < g.node.num_outputs(); ++i) grads.push_back(g.grad(i));
  return grads;
}

void SplitBack(NodeGradient& g, int value_at, int axis_at) {
  std::vector<Output> grads = AllGrads(g);
  if (grads.size() == 1) return g.Set(value_at, grads[0]);
  grads.push_back(g.in(axis_at));
  g.Set(value_at, g.Op("ConcatV2", grads, {{"N", static_cast<int64_t>(grads.size() - 1)}}));
}

void Slice(NodeGradient& g) {
  const Output begin = g.in(1);
  const AttrMap type = {{"DstT", begin.dtype()}};
  const Output whole = g.Op("Cast", {g.b.ShapeOf(g.in(0))}, type);
  const Output part = g.Op("Cast", {g.b.ShapeOf(g.out(0))}, type);
  const Output after = g.Op("Sub", {g.Op("Sub", {whole, begin}), part});
  const Output paddings = g.Op("Pack", {begin, after}, {{"axis", 1}});
  g.Set(0, g.Op("Pad", {g.grad(), paddings}));
}

void StridedSlice(NodeGradient& g) {
  const Output shape = g.Op("Cast", {g.b.ShapeOf(g.in(0))}, {{"DstT", g.in(1).dtype()}});
  g.Set(0, g.Op("StridedSliceGrad", {shape, g.in(1), g.in(2), g.in(3), g.grad()},
                g.attrs({"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
                         "shrink_axis_mask"})));
}

void Pack(NodeGradient& g) {
  AttrMap attrs = g.attrs({"axis"});
  attrs["num"] = static_cast<int64_t>(g.num_inputs());
  const auto parts = g.b.Ops("Unpack", {g.grad()}, std::move(attrs));
  for (size_t i = 0; i < parts.size(); ++i) g.Set(static_cast<int>(i), parts[i]);
}

void Unpack(NodeGradient& g) { g.Set(0, g.Op("Pack", AllGrads(g), g.attrs({"axis"}))); }

void Pad(NodeGradient& g) {
  const Output before = g.Op("Slice", {g.in(1), g.b.Ints({0, 0}), g.b.Ints({-1, 1})});
  const Output begin =
      g.Op("Cast", {g.Op("Reshape", {before, g.b.Ints({-1})})}, {{"DstT", kInt32}});
  g.Set(0, g.Op("Slice", {g.grad(), begin, g.b.ShapeOf(g.in(0))}));
}

// Each axis becomes a pair (times, size). The sum is over the times.
void Tile(NodeGradient& g) {
  const Output times = g.Op("Cast", {g.in(1)}, {{"DstT", kInt32}});
  const Output shape = g.b.ShapeOf(g.in(0));
  const Output pairs = g.Op("Pack", {times, shape}, {{"axis", 1}});
  const Output split = g.Op("Reshape", {pairs, g.b.Ints({-1})});
  const Output axes = g.Op("Range", {g.b.Int(0), g.Op("Size", {split}), g.b.Int(2)});
  const Output sum = g.Op("Sum", {g.Op("Reshape", {g.grad(), split}), axes});
  g.Set(0, g.Op("Reshape", {sum, shape}));
}

void BroadcastTo(NodeGradient& g) { g.Set(0, SumToShapeOf(g.b, g.grad(), g.in(0), g.out(0))); }

void Fill(NodeGradient& g) {
  const Output flat = g.Op("Reshape", {g.grad(), g.b.Ints({-1})});
  g.Set(1, g.Op("Sum", {flat, g.b.Ints({0})}));
}

void MirrorPadGrad(NodeGradient& g) {
  g.Set(0, g.Op("MirrorPad", {g.grad(), g.in(1)}, g.attrs({"mode"})));
}

void StridedSliceGrad(NodeGradient& g) {  // shape, begin, end, strides, dy
  g.Set(4, g.Op("StridedSlice", {g.grad(), g.in(1), g.in(2), g.in(3)},
                g.attrs({"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
                         "shrink_axis_mask"})));
}

}  // namespace

void AddArrayGradients(GradientTable& table) {
  for (auto op : {"Identity", "RefIdentity", "Snapshot", "DeepCopy", "PlaceholderWithDefault",
                  "EnsureShape"}) {
    table[op] = PassThrough;
  }
  table["IdentityN"] = PassAll;
  for (auto op : {"Reshape", "ExpandDims", "Squeeze"}) table[op] = ReshapeBack;
  table["Transpose"] = Transpose;
  table["Concat"] = [](NodeGradient& g) { ConcatBack(g, 1, 0); };
  table["ConcatV2"] = [](NodeGradient& g) { ConcatBack(g, 0, g.num_inputs() - 1); };
  table["Split"] = [](NodeGradient& g) { SplitBack(g, 1, 0); };
  table["SplitV"] = [](NodeGradient& g) { SplitBack(g, 0, 2); };
  table["Slice"] = Slice;
  table["StridedSlice"] = StridedSlice;
  table["Pack"] = Pack;
  table["Unpack"] = Unpack;
  for (auto op : {"Pad", "PadV2"}) table[op] = Pad;
  table["MirrorPad"] = [](NodeGradient& g) {
    g.Set(0, g.Op("MirrorPadGrad", {g.grad(), g.in(1)}, g.attrs({"mode"})));
  };
  table["Tile"] = Tile;
  table["BroadcastTo"] = BroadcastTo;
  table["Fill"] = Fill;
  table["ReverseV2"] = [](NodeGradient& g) { g.Set(0, g.Op("ReverseV2", {g.grad(), g.in(1)})); };
  table["MirrorPadGrad"] = MirrorPadGrad;
  table["StridedSliceGrad"] = StridedSliceGrad;
}

}  // namespace sluice::graph
