// SPDX-License-Identifier: Apache-2.0
// Gradients of Fourier transforms: the transform of the other sign, with the other factor.
#include "absl/strings/match.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

int RankOf(NodeGradient& g) {
  const std::string& op = g.node.op();
  return absl::EndsWith(op, "3D") ? 3 : absl::EndsWith(op, "2D") ? 2 : 1;
}

std::string Named(absl::string_view transform, int rank) {
  return rank == 1 ? std::string(transform) : absl::StrCat(transform, rank, "D");
}

// Elements [begin, end) of a vector; an end of 0 is the vector's.
Output Part(NodeGradient& g, const Output& vector, int64_t begin, int64_t end) {
  return g.Op("StridedSlice", {vector, g.b.Ints({begin}), g.b.Ints({end}), g.b.Ints({1})},
              {{"end_mask", end == 0 ? 1 : 0}, {"begin_mask", begin == 0 ? 1 : 0}});
}

// The number of elements of one transform, in the type of `like`.
Output Elements(NodeGradient& g, const Output& lengths, DType dtype) {
  return g.Op("Cast", {g.Op("Prod", {lengths, g.b.Ints({0})})}, {{"DstT", dtype}});
}

// x padded with zeros at the end of every dimension, up to `shape`.
Output PadTo(NodeGradient& g, const Output& x, const Output& shape) {
  const Output now = g.Op("Shape", {x});
  const Output after = g.Op("Sub", {shape, now});
  const Output paddings = g.Op("Pack", {g.Op("ZerosLike", {now}), after}, {{"N", 2}, {"axis", 1}});
  return g.Op("Pad", {x, paddings});
}

void Forward(NodeGradient& g) {
  const int rank = RankOf(g);
  const Output size = Elements(g, Part(g, g.b.ShapeOf(g.in(0)), -rank, 0), g.in(0).dtype());
  g.Set(0, g.Mul(g.Op(Named("IFFT", rank), {g.grad()}), size));
}

void Inverse(NodeGradient& g) {
  const int rank = RankOf(g);
  const Output size = Elements(g, Part(g, g.b.ShapeOf(g.in(0)), -rank, 0), g.in(0).dtype());
  g.Set(0, g.Op("RealDiv", {g.Op(Named("FFT", rank), {g.grad()}), size}));
}

// The existing half, transformed back as if the other half were zero.
void RealForward(NodeGradient& g) {
  const int rank = RankOf(g);
  const Output lengths = g.in(1), dy = g.grad();
  const Output outer = Part(g, g.Op("Shape", {dy}), 0, -1);
  const Output whole = g.Op("ConcatV2", {outer, Part(g, lengths, -1, 0), g.b.Int(0)}, {{"N", 2}});
  const Output back = g.Op(Named("IFFT", rank), {PadTo(g, dy, whole)});
  const Output real = g.Op("Real", {back}, {{"Tout", g.in(0).dtype()}});
  const Output scaled = g.Mul(real, Elements(g, lengths, real.dtype()));
  g.Set(0, PadTo(g, scaled, g.b.ShapeOf(g.in(0))));
}

// Each element of the half represents itself and its conjugate, except the first and, for an even
// length, the last.
void RealInverse(NodeGradient& g) {
  const int rank = RankOf(g);
  const DType real = g.out(0).dtype();
  const Output lengths = g.in(1), n = Part(g, lengths, -1, 0);
  const Output odd = g.Op("FloorMod", {n, g.b.Int(2)});
  const Output even = g.Op("Sub", {g.b.Int(1), odd});
  const Output middle =
      g.Op("AddV2", {g.Op("Sub", {g.Op("FloorDiv", {n, g.b.Int(2)}), g.b.Int(1)}), odd});
  const Output one = g.b.ScalarOf(real, 1);
  const Output weights =
      g.Op("ConcatV2",
           {g.Op("Fill", {g.b.Ints({1}), one}), g.Op("Fill", {middle, g.b.ScalarOf(real, 2)}),
            g.Op("Fill", {even, one}), g.b.Int(0)},
           {{"N", 3}});
  const DType complex = g.in(0).dtype();
  const Output half = g.Op(Named("RFFT", rank), {g.grad(), lengths}, {{"Tcomplex", complex}});
  const Output scaled = g.Op("RealDiv", {weights, Elements(g, lengths, real)});
  const Output dx = g.Mul(half, g.Op("Cast", {scaled}, {{"DstT", complex}}));
  g.Set(0, PadTo(g, dx, g.b.ShapeOf(g.in(0))));
}

}  // namespace

void AddSignalGradients(GradientTable& table) {
  for (auto op : {"FFT", "FFT2D", "FFT3D"}) table[op] = Forward;
  for (auto op : {"IFFT", "IFFT2D", "IFFT3D"}) table[op] = Inverse;
  for (auto op : {"RFFT", "RFFT2D", "RFFT3D"}) table[op] = RealForward;
  for (auto op : {"IRFFT", "IRFFT2D", "IRFFT3D"}) table[op] = RealInverse;
}

}  // namespace sluice::graph
