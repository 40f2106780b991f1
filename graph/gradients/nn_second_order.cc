// SPDX-License-Identifier: Apache-2.0
// Gradients of the ops that compute gradients, for second derivatives.
#include "absl/strings/match.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// For an op that passes dy where the unit was active: the gradient of dy is the same op, that of
// the unit's input is zero.
void OnOff(NodeGradient& g) {
  g.Set(0, g.Op(g.node.op(), {g.grad(), g.in(1)}, g.attrs({"alpha"})));
}

// For dy times a slope that depends on y below zero.
void Exponential(NodeGradient& g) {
  const Output flow = g.grad(), y = g.in(1);
  if (g.wanted(0)) g.Set(0, g.Op(g.node.op(), {flow, y}));
  if (g.wanted(1)) {
    const Output below = g.Op("Less", {y, g.b.ScalarOf(y.dtype(), 0)});
    g.Set(1, g.Op("Select", {below, g.Mul(flow, g.in(0)), g.Op("ZerosLike", {y})}));
  }
}

void SoftplusGrad(NodeGradient& g) {  // dy / (1 + exp(-x))
  const Output flow = g.grad(), x = g.in(1);
  if (g.wanted(0)) g.Set(0, g.Op("SoftplusGrad", {flow, x}));
  if (g.wanted(1)) {
    const Output two = g.b.ScalarOf(x.dtype(), 2);
    const Output sum =
        g.Op("AddV2", {g.Op("AddV2", {g.Op("Exp", {g.Neg(x)}), two}), g.Op("Exp", {x})});
    g.Set(1, g.Op("RealDiv", {g.Mul(flow, g.in(0)), sum}));
  }
}

// The sizes of a shape before the channels, and after them (none unless the channels come first).
struct AroundChannels {
  AroundChannels(NodeGradient& g, const Output& shape) {
    const bool first = absl::StartsWith(g.attr<std::string>("data_format", "NHWC"), "NC");
    const auto part = [&](int64_t begin, int64_t end, AttrMap mask) {
      return g.Op("StridedSlice", {shape, g.b.Ints({begin}), g.b.Ints({end}), g.b.Ints({1})},
                  std::move(mask));
    };
    before = part(0, first ? 1 : -1, {});
    after = first ? part(2, 0, {{"end_mask", 1}}) : g.b.Const(Tensor(kInt32, Shape{0}));
  }
  Output before, after;
};

// Broadcasts each channel's sum to all its elements.
void BiasAddGrad(NodeGradient& g) {
  const Output shape = g.b.ShapeOf(g.in(0));
  const AroundChannels around(g, shape);
  const Output flow = g.grad();
  const Output ones = g.Op("OnesLike", {around.after});
  const Output wide = g.Op("ConcatV2", {g.Op("Shape", {flow}), ones, g.b.Int(0)}, {{"N", 2}});
  g.Set(0, g.Op("BroadcastTo", {g.Op("Reshape", {flow, wide}), shape}));
}

// The gradient of a batch norm as plain arithmetic over its inputs.
class BatchNormGradient {
 public:
  explicit BatchNormGradient(NodeGradient& g)
      : g_(g), format_(g.attr<std::string>("data_format", "NHWC")) {
    channels_first_ = absl::StartsWith(format_, "NC");
    for (int64_t i = 0; i < static_cast<int64_t>(format_.size()); ++i) {
      if (i != (channels_first_ ? 1 : static_cast<int64_t>(format_.size()) - 1)) axes_.push_back(i);
    }
  }

  // (dy, x, scale, mean, variance) -> (dx, dscale, doffset), all of scale's type.
  std::vector<Output> Of(const Output& dy, const Output& x, const Output& scale, Output mean,
                         Output variance) {
    if (g_.attr<bool>("is_training", true)) {
      mean = Op("Mean", {x, Axes()}, {{"keep_dims", true}});
      // The variance does not depend on the mean.
      const Output off = Op("SquaredDifference", {x, Op("StopGradient", {mean})});
      variance = Op("Mean", {off, Axes()}, {{"keep_dims", true}});
    } else {
      mean = Wide(mean);
      variance = Wide(variance);
    }
    const Output epsilon = g_.b.ScalarOf(scale.dtype(), g_.attr<float>("epsilon", 1e-4F));
    const Output spread = Op("AddV2", {variance, epsilon}), root = Op("Rsqrt", {spread});
    const Output offset = Op("Sub", {x, mean}), product = g_.Mul(dy, offset);
    const Output factor = g_.Mul(Wide(scale), root);
    Output dx = g_.Mul(dy, factor);
    if (g_.attr<bool>("is_training", true)) {
      const Output along = Op("Mean", {product, Axes()}, {{"keep_dims", true}});
      const Output rest = g_.Mul(Op("RealDiv", {along, spread}), offset);
      const Output level = Op("Mean", {dy, Axes()}, {{"keep_dims", true}});
      dx = g_.Mul(factor, Op("Sub", {Op("Sub", {dy, level}), rest}));
    }
    return {dx, Op("Sum", {g_.Mul(product, root), Axes()}), Op("Sum", {dy, Axes()})};
  }

 private:
  Output Op(absl::string_view op, absl::Span<const Output> inputs, AttrMap attrs = {}) {
    return g_.Op(op, inputs, std::move(attrs));
  }
  Output Axes() { return g_.b.Ints(axes_); }
  Output Wide(const Output& vector) {  // in comparison with x
    if (!channels_first_) return vector;
    std::vector<int64_t> shape(format_.size(), 1);
    shape[1] = -1;
    return Op("Reshape", {vector, g_.b.Ints(shape)});
  }

  NodeGradient& g_;
  std::string format_;
  bool channels_first_;
  std::vector<int64_t> axes_;
};

void BatchNormGrad(NodeGradient& g) {  // dy, x, scale, mean, variance
  const DType type = g.in(0).dtype(), math = g.in(2).dtype();
  const auto cast = [&](const Output& x, DType to) {
    return x.dtype() == to ? x : g.Op("Cast", {x}, {{"DstT", to}});
  };
  std::vector<Output> xs;  // as if they were independent of their inputs
  for (int i : {0, 1, 2}) xs.push_back(g.Op("Identity", {g.in(i)}));
  std::vector<Output> ys =
      BatchNormGradient(g).Of(cast(xs[0], math), cast(xs[1], math), xs[2], g.in(3), g.in(4));
  ys[0] = cast(ys[0], type);
  std::vector<Output> used;
  std::vector<std::optional<Output>> flows;
  for (int i : {0, 1, 2}) {
    if (!g.has_grad(i)) continue;
    used.push_back(ys[i]);
    flows.push_back(g.grad(i));
  }
  const std::vector<Output> dxs = g.b.Differentiate(used, flows, xs);
  for (size_t i = 0; i < dxs.size(); ++i) g.Set(static_cast<int>(i), dxs[i]);
}

}  // namespace

void AddNnSecondOrderGradients(GradientTable& table) {
  for (auto op : {"ReluGrad", "Relu6Grad", "LeakyReluGrad"}) table[op] = OnOff;
  for (auto op : {"EluGrad", "SeluGrad"}) table[op] = Exponential;
  table["SoftplusGrad"] = SoftplusGrad;
  table["BiasAddGrad"] = BiasAddGrad;
  for (auto op : {"FusedBatchNormGrad", "FusedBatchNormGradV2", "FusedBatchNormGradV3"})
    table[op] = BatchNormGrad;
}

}  // namespace sluice::graph
