// SPDX-License-Identifier: Apache-2.0
// Gradients of means, extremes and products of segments. in(0) is the data, in(1) the segment of
// each row (of the sparse ones: in(1) the row, in(2) its segment).
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

Output Gather(NodeGradient& g, const Output& rows, const Output& ids) {
  return g.Op("GatherV2", {rows, ids, g.b.Int(0)});
}
Output CastTo(NodeGradient& g, const Output& x, DType dtype) {
  return g.Op("Cast", {x}, {{"DstT", dtype}});
}

// `x` with dimensions of size one added at the end, up to the rank of `like`.
Output WithRankOf(NodeGradient& g, const Output& x, const Output& like) {
  const Output extra = g.Op("Sub", {g.Op("Rank", {like}), g.Op("Rank", {x})});
  const Output ones = g.Op("Fill", {g.Op("Reshape", {extra, g.b.Ints({1})}), g.b.Int(1)});
  return g.Op("Reshape", {x, g.Op("ConcatV2", {g.b.ShapeOf(x), ones, g.b.Int(0)}, {{"N", 2}})});
}

void SegmentMean(NodeGradient& g) {
  const Output ids = g.in(1);
  const Output one = g.b.ScalarOf(g.in(0).dtype(), 1);
  const Output counts = g.Op("SegmentSum", {g.Op("Fill", {g.Op("Shape", {ids}), one}), ids});
  const Output shares = g.Op("RealDiv", {g.grad(), WithRankOf(g, counts, g.grad())});
  g.Set(0, Gather(g, shares, ids));
}

// All elements that equal the extreme value get equal parts of the gradient.
void SegmentExtreme(NodeGradient& g) {
  const Output x = g.in(0), ids = g.in(1);
  const Output chosen = g.Op("Equal", {x, Gather(g, g.out(0), ids)});
  const Output counts = g.Op("SegmentSum", {CastTo(g, chosen, x.dtype()), ids});
  const Output shares = Gather(g, g.Op("RealDiv", {g.grad(), counts}), ids);
  g.Set(0, g.Op("Select", {chosen, shares, g.Op("ZerosLike", {x})}));
}

// Negative ids belong to no segment.
struct Unsorted {
  NodeGradient& g;
  Output ids = g.in(1), zero = g.b.ScalarOf(ids.dtype(), 0);
  Output clipped = g.Op("Maximum", {ids, zero});

  Output mask(const Output& like) const {
    return CastTo(g, WithRankOf(g, g.Op("GreaterEqual", {ids, zero}), like), like.dtype());
  }
  Output gather(const Output& rows) const { return Gather(g, rows, clipped); }
  Output gather_known(const Output& rows) const {
    const Output gathered = gather(rows);
    return g.Op("MulNoNan", {gathered, mask(gathered)});
  }
};

void UnsortedExtreme(NodeGradient& g) {
  const Output x = g.in(0);
  const Unsorted u{g};
  const Output equal = CastTo(g, g.Op("Equal", {x, u.gather(g.out(0))}), x.dtype());
  const Output chosen = g.Mul(equal, u.mask(x));
  const Output counts = g.Op("UnsortedSegmentSum", {chosen, u.ids, g.in(2)});
  const Output shares = u.gather_known(g.Op("DivNoNan", {g.grad(), counts}));
  g.Set(0, g.Mul(shares, chosen));
}

// dy prod / x; beside the only zero of a segment, the product of the other elements.
void UnsortedProd(NodeGradient& g) {
  const Output x = g.in(0), n = g.in(2);
  const Unsorted u{g};
  const Output zero = g.Op("Equal", {x, g.b.ScalarOf(x.dtype(), 0)});
  const Output zeros = g.Op("UnsortedSegmentSum", {CastTo(g, zero, kInt32), u.ids, n});
  const Output many = g.Op("Greater", {zeros, g.b.Int(1)});
  const Output flow = g.Op("Select", {many, g.Op("ZerosLike", {g.grad()}), g.grad()});
  const Output safe = g.Op("Select", {zero, g.Op("OnesLike", {x}), x});
  const Output others = g.Op("UnsortedSegmentProd", {safe, u.ids, n});
  const Output rest = g.Op("RealDiv", {u.gather(g.out(0)), safe});
  const Output slope = g.Op("Select", {zero, u.gather(others), rest});
  g.Set(0, g.Mul(u.gather_known(flow), slope));
}

}  // namespace

void AddMathSegmentsGradients(GradientTable& table) {
  table["SegmentMean"] = SegmentMean;
  for (auto op : {"SegmentMin", "SegmentMax"}) table[op] = SegmentExtreme;
  for (auto op : {"UnsortedSegmentMin", "UnsortedSegmentMax"}) table[op] = UnsortedExtreme;
  table["UnsortedSegmentProd"] = UnsortedProd;
}

}  // namespace sluice::graph
