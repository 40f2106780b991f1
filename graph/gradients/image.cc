// SPDX-License-Identifier: Apache-2.0
// Gradients of resizing, cropping and colours.
#include <array>

#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The element of an input (without batch and depth) from which each element of a patch came, as
// patches of the numbers 1, 2, ...; 0 is padding. Gradients are summed by those numbers.
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
  // double can hold every number, and both ops accept it.
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

void ResizeBilinear(NodeGradient& g) {
  g.Set(0, g.Op("ResizeBilinearGrad", {g.grad(), g.in(0)},
                g.attrs({"align_corners", "half_pixel_centers"})));
}

void ResizeBicubic(NodeGradient& g) {
  const DType type = g.in(0).dtype();
  if (type != kFloat && type != kDouble) return;  // no gradient for other types
  g.Set(0, g.Op("ResizeBicubicGrad", {g.grad(), g.in(0)},
                g.attrs({"align_corners", "half_pixel_centers"})));
}

void ResizeNearest(NodeGradient& g) {
  const Output size = g.Op("Slice", {g.b.ShapeOf(g.in(0)), g.b.Ints({1}), g.b.Ints({2})});
  g.Set(0, g.Op("ResizeNearestNeighborGrad", {g.grad(), size},
                g.attrs({"align_corners", "half_pixel_centers"})));
}

void ScaleAndTranslate(NodeGradient& g) {
  if (g.in(0).dtype() != kFloat) return;
  g.Set(0, g.Op("ScaleAndTranslateGrad", {g.grad(), g.in(0), g.in(2), g.in(3)},
                g.attrs({"kernel_type", "antialias"})));
}

void CropAndResize(NodeGradient& g) {  // image, boxes, box_ind, crop_size
  if (g.wanted(0)) {
    AttrMap attrs = g.attrs({"method"});
    attrs["T"] = g.in(0).dtype();
    g.Set(0, g.Op("CropAndResizeGradImage", {g.grad(), g.in(1), g.in(2), g.b.ShapeOf(g.in(0))},
                  std::move(attrs)));
  }
  // For the boxes, the gradient of the nearest pixel is that of bilinear sampling too.
  if (g.wanted(1)) {
    g.Set(1, g.Op("CropAndResizeGradBoxes", {g.grad(), g.in(0), g.in(1), g.in(2)}));
  }
}

// The image of the gradient under the inverse map, as in contrib.
void ProjectiveTransform(NodeGradient& g) {  // images, transforms [?, 8], output_shape
  const Output last = g.Op("Reshape", {g.b.Ints({0, 0, 0, 1}), g.b.Ints({2, 2})});
  const Output nine = g.Op("PadV2", {g.in(1), last, g.b.ScalarOf(kFloat, 1)});
  const Output inverse = g.Op("MatrixInverse", {g.Op("Reshape", {nine, g.b.Ints({-1, 3, 3})})});
  const Output flat = g.Op("Reshape", {inverse, g.b.Ints({-1, 9})});
  const Output corner = g.Op("Slice", {flat, g.b.Ints({0, 8}), g.b.Ints({-1, 1})});
  const Output eight = g.Op("Slice", {flat, g.b.Ints({0, 0}), g.b.Ints({-1, 8})});
  const Output size = g.Op("Slice", {g.b.ShapeOf(g.in(0)), g.b.Ints({1}), g.b.Ints({2})});
  g.Set(0, g.Op("ImageProjectiveTransformV2", {g.grad(), g.Op("RealDiv", {eight, corner}), size},
                g.attrs({"interpolation"})));
}

void Resampler(NodeGradient& g) {  // data, warp
  const std::vector<Output> both = g.b.Ops("ResamplerGrad", {g.in(0), g.in(1), g.grad()});
  for (int i = 0; i < static_cast<int>(both.size()); ++i) g.Set(i, both[i]);
}

// Red, green and blue, or a value for each of them.
using Three = std::array<Output, 3>;

Three Channels(NodeGradient& g, const Output& image) {
  const auto parts = g.b.Ops("Split", {g.b.Int(-1), image}, {{"num_split", int64_t{3}}});
  return parts.size() == 3 ? Three{parts[0], parts[1], parts[2]} : Three{};
}

// 1 where both hold, else 0.
Output Both(NodeGradient& g, const Output& a, const Output& b, DType type) {
  return g.Op("Cast", {g.Op("LogicalAnd", {a, b})}, {{"DstT", type}});
}

// hue = share / (6 range) + a sixth, third, ... , saturation = range / largest, value = largest.
void RgbToHsv(NodeGradient& g) {
  const DType type = g.in(0).dtype();
  const auto [red, green, blue] = Channels(g, g.in(0));
  const auto [d_hue, d_saturation, d_value] = Channels(g, g.grad());
  const auto sub = [&](const Output& a, const Output& b) { return g.Op("Sub", {a, b}); };
  const auto add = [&](const Output& a, const Output& b) { return g.Op("AddV2", {a, b}); };
  const auto over = [&](const Output& a, const Output& b) { return g.Op("DivNoNan", {a, b}); };
  const auto compare = [&](const char* op, const Output& a, const Output& b) {
    return g.Op(op, {a, b});
  };
  // If colours are equal, red counts as the largest before green, and blue as the smallest before
  // green.
  const Three largest = {
      Both(g, compare("GreaterEqual", red, green), compare("GreaterEqual", red, blue), type),
      Both(g, compare("Greater", green, red), compare("GreaterEqual", green, blue), type),
      Both(g, compare("Greater", blue, red), compare("Greater", blue, green), type)};
  const Three smallest = {
      Both(g, compare("Less", red, green), compare("Less", red, blue), type),
      Both(g, compare("LessEqual", green, red), compare("Less", green, blue), type),
      Both(g, compare("LessEqual", blue, red), compare("LessEqual", blue, green), type)};
  const Output value = g.Op("Maximum", {red, g.Op("Maximum", {green, blue})});
  const Output least = g.Op("Minimum", {red, g.Op("Minimum", {green, blue})});
  const Output range = sub(value, least);
  const Output share = g.Op("AddN",
                            {g.Mul(largest[0], sub(green, blue)), g.Mul(largest[1], sub(blue, red)),
                             g.Mul(largest[2], sub(red, green))},
                            {{"N", int64_t{3}}});
  const Output by_share = over(d_hue, g.Scaled(range, 6));
  const Output by_range = g.Neg(over(g.Mul(by_share, share), range));
  const Output by_least = g.Neg(over(d_saturation, value));
  const Output by_value = add(d_value, over(g.Mul(d_saturation, least), g.Mul(value, value)));
  const Three colours = {red, green, blue};
  const Output zero = g.b.ScalarOf(type, 0);
  Three gradients;
  for (int i = 0; i < 3; ++i) {
    // A colour of 0 stays the smallest: in TensorFlow it gets no gradient of the saturation.
    const Output present = g.Op("Cast", {compare("Greater", colours[i], zero)}, {{"DstT", type}});
    const Output turn = sub(largest[(i + 2) % 3], largest[(i + 1) % 3]);
    gradients[i] = g.Op("AddN",
                        {g.Mul(by_share, turn), g.Mul(by_range, sub(largest[i], smallest[i])),
                         g.Mul(g.Mul(by_least, smallest[i]), present), g.Mul(by_value, largest[i])},
                        {{"N", int64_t{4}}});
  }
  g.Set(0, g.Op("ConcatV2", {gradients[0], gradients[1], gradients[2], g.b.Int(-1)},
                {{"N", int64_t{3}}}));
}

}  // namespace

void AddImageGradients(GradientTable& table) {
  for (auto op : {"ExtractImagePatches", "ExtractVolumePatches"}) table[op] = Patches;
  table["ResizeBilinear"] = ResizeBilinear;
  table["ResizeBicubic"] = ResizeBicubic;
  table["ResizeNearestNeighbor"] = ResizeNearest;
  table["ScaleAndTranslate"] = ScaleAndTranslate;
  table["CropAndResize"] = CropAndResize;
  table["ImageProjectiveTransformV2"] = ProjectiveTransform;
  table["RGBToHSV"] = RgbToHsv;
  table["Resampler"] = Resampler;
}

}  // namespace sluice::graph
