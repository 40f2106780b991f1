// SPDX-License-Identifier: Apache-2.0
// Gradients of convolutions and poolings, and of their gradients.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

constexpr std::initializer_list<absl::string_view> kConvAttrs = {
    "strides", "padding", "explicit_paddings", "data_format", "dilations", "use_cudnn_on_gpu"};
constexpr std::initializer_list<absl::string_view> kPoolAttrs = {
    "ksize", "strides", "padding", "data_format", "explicit_paddings"};

// A convolution and its two gradients: (input sizes, filter, dy) and (input, filter sizes, dy).
struct Convolution {
  absl::string_view op, input_op, filter_op;
};
constexpr Convolution kConvolutions[] = {
    {"Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"},
    {"Conv3D", "Conv3DBackpropInputV2", "Conv3DBackpropFilterV2"},
    {"DepthwiseConv2dNative", "DepthwiseConv2dNativeBackpropInput",
     "DepthwiseConv2dNativeBackpropFilter"},
};

// The family of the node, which may be any of the three ops.
const Convolution& Of(const NodeGradient& g) {
  for (const Convolution& c : kConvolutions) {
    const absl::string_view op = g.node.op();
    if (op == c.op || op == c.input_op || op == c.filter_op) return c;
  }
  return kConvolutions[0];
}

Output InputGradient(NodeGradient& g, const Output& sizes, const Output& filter, const Output& dy) {
  return g.Op(Of(g).input_op, {sizes, filter, dy}, g.attrs(kConvAttrs));
}
Output FilterGradient(NodeGradient& g, const Output& in, const Output& sizes, const Output& dy) {
  return g.Op(Of(g).filter_op, {in, sizes, dy}, g.attrs(kConvAttrs));
}
Output Forward(NodeGradient& g, const Output& in, const Output& filter) {
  return g.Op(Of(g).op, {in, filter}, g.attrs(kConvAttrs));
}

void Convolve(NodeGradient& g) {
  if (g.wanted(0)) g.Set(0, InputGradient(g, g.b.ShapeOf(g.in(0)), g.in(1), g.grad()));
  if (g.wanted(1)) g.Set(1, FilterGradient(g, g.in(0), g.b.ShapeOf(g.in(1)), g.grad()));
}
void ConvolveInputGrad(NodeGradient& g) {  // sizes, filter, dy
  if (g.wanted(1)) g.Set(1, FilterGradient(g, g.grad(), g.b.ShapeOf(g.in(1)), g.in(2)));
  if (g.wanted(2)) g.Set(2, Forward(g, g.grad(), g.in(1)));
}
void ConvolveFilterGrad(NodeGradient& g) {  // input, sizes, dy
  if (g.wanted(0)) g.Set(0, InputGradient(g, g.b.ShapeOf(g.in(0)), g.grad(), g.in(2)));
  if (g.wanted(2)) g.Set(2, Forward(g, g.in(0), g.grad()));
}

// MaxPool, MaxPoolGrad and MaxPoolGradGrad: the gradient of each is one of the others.
template <bool kVolume>
void MaxPool(NodeGradient& g) {
  g.Set(0, g.Op(kVolume ? "MaxPool3DGrad" : "MaxPoolGrad", {g.in(0), g.out(0), g.grad()},
                g.attrs(kPoolAttrs)));
}
template <bool kVolume>
void MaxPoolGrad(NodeGradient& g) {
  AttrMap attrs = g.attrs(kPoolAttrs);
  attrs.erase("explicit_paddings");
  g.Set(2, g.Op(kVolume ? "MaxPool3DGradGrad" : "MaxPoolGradGrad", {g.in(0), g.in(1), g.grad()},
                std::move(attrs)));
}
template <bool kVolume>
void MaxPoolGradGrad(NodeGradient& g) {
  g.Set(2, g.Op(kVolume ? "MaxPool3DGrad" : "MaxPoolGrad", {g.in(0), g.in(1), g.grad()},
                g.attrs(kPoolAttrs)));
}

template <bool kVolume>
void AvgPool(NodeGradient& g) {
  g.Set(0, g.Op(kVolume ? "AvgPool3DGrad" : "AvgPoolGrad", {g.b.ShapeOf(g.in(0)), g.grad()},
                g.attrs(kPoolAttrs)));
}
template <bool kVolume>
void AvgPoolGrad(NodeGradient& g) {
  g.Set(1, g.Op(kVolume ? "AvgPool3D" : "AvgPool", {g.grad()}, g.attrs(kPoolAttrs)));
}

// Sizes and strides are inputs.
void MaxPoolV2(NodeGradient& g) {
  g.Set(0, g.Op("MaxPoolGradV2", {g.in(0), g.out(0), g.grad(), g.in(1), g.in(2)},
                g.attrs({"padding", "data_format"})));
}
void MaxPoolGradV2(NodeGradient& g) {  // input, output, dy, sizes, strides
  g.Set(2, g.Op("MaxPoolGradGradV2", {g.in(0), g.in(1), g.grad(), g.in(3), g.in(4)},
                g.attrs({"padding", "data_format"})));
}
void MaxPoolWithArgmax(NodeGradient& g) {
  g.Set(0, g.Op("MaxPoolGrad", {g.in(0), g.out(0), g.grad()},
                g.attrs({"ksize", "strides", "padding"})));
}

void FractionalMaxPool(NodeGradient& g) {
  g.Set(0, g.Op("FractionalMaxPoolGrad", {g.in(0), g.out(0), g.grad(0), g.out(1), g.out(2)},
                g.attrs({"overlapping"})));
}
void FractionalAvgPool(NodeGradient& g) {
  const Output sizes = g.Op("Shape", {g.in(0)}, {{"out_type", kInt64}});
  g.Set(0, g.Op("FractionalAvgPoolGrad", {sizes, g.grad(0), g.out(1), g.out(2)},
                g.attrs({"overlapping"})));
}

void Dilation(NodeGradient& g) {
  const AttrMap attrs = g.attrs({"strides", "rates", "padding"});
  if (g.wanted(0)) {
    g.Set(0, g.Op("Dilation2DBackpropInput", {g.in(0), g.in(1), g.grad()}, attrs));
  }
  if (g.wanted(1)) {
    g.Set(1, g.Op("Dilation2DBackpropFilter", {g.in(0), g.in(1), g.grad()}, attrs));
  }
}

}  // namespace

void AddNnWindowGradients(GradientTable& table) {
  for (const Convolution& c : kConvolutions) {
    table[c.op] = Convolve;
    table[c.input_op] = ConvolveInputGrad;
    table[c.filter_op] = ConvolveFilterGrad;
  }
  table["MaxPool"] = MaxPool<false>;
  table["MaxPoolV2"] = MaxPoolV2;
  table["MaxPoolGradV2"] = MaxPoolGradV2;
  table["MaxPoolWithArgmax"] = MaxPoolWithArgmax;
  table["MaxPool3D"] = MaxPool<true>;
  table["MaxPoolGrad"] = MaxPoolGrad<false>;
  table["MaxPool3DGrad"] = MaxPoolGrad<true>;
  table["MaxPoolGradGrad"] = MaxPoolGradGrad<false>;
  table["MaxPool3DGradGrad"] = MaxPoolGradGrad<true>;
  table["AvgPool"] = AvgPool<false>;
  table["AvgPool3D"] = AvgPool<true>;
  table["AvgPoolGrad"] = AvgPoolGrad<false>;
  table["AvgPool3DGrad"] = AvgPoolGrad<true>;
  table["FractionalMaxPool"] = FractionalMaxPool;
  table["FractionalAvgPool"] = FractionalAvgPool;
  table["Dilation2D"] = Dilation;
}

}  // namespace sluice::graph
