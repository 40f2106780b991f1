// SPDX-License-Identifier: Apache-2.0
// Gradients of activations, losses and normalisation.
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// Activations whose gradient op takes (dy, output) or (dy, input).
struct Activation {
  absl::string_view op, gradient_op;
  bool from_output;
};
constexpr Activation kActivations[] = {
    {"Relu", "ReluGrad", true},
    {"Relu6", "Relu6Grad", true},
    {"Elu", "EluGrad", true},
    {"Selu", "SeluGrad", true},
    {"Softplus", "SoftplusGrad", false},
    {"Softsign", "SoftsignGrad", false},
    {"LeakyRelu", "LeakyReluGrad", false},
};

void Activate(NodeGradient& g) {
  for (const Activation& a : kActivations) {
    if (a.op != g.node.op()) continue;
    g.Set(0,
          g.Op(a.gradient_op, {g.grad(), a.from_output ? g.out(0) : g.in(0)}, g.attrs({"alpha"})));
  }
}

Output SumLast(NodeGradient& g, const Output& x) {
  return g.Op("Sum", {x, g.b.Ints({-1})}, {{"keep_dims", true}});
}

// s (dy - sum(dy s)).
void Softmax(NodeGradient& g) {
  const Output s = g.out(0), dy = g.grad();
  g.Set(0, g.Mul(g.Op("Sub", {dy, SumLast(g, g.Mul(dy, s))}), s));
}

void LogSoftmax(NodeGradient& g) {
  const Output dy = g.grad();
  g.Set(0, g.Op("Sub", {dy, g.Mul(SumLast(g, dy), g.Op("Exp", {g.out(0)}))}));
}

// The op computes the gradient with the loss; it is multiplied by the gradient of each row's loss.
Output ScaledRows(NodeGradient& g, const Output& rows) {
  return g.Mul(g.Op("ExpandDims", {g.grad(0), g.b.Int(-1)}), rows);
}

// The gradient for the logits: that of the losses, and, if the op's second output has a gradient,
// that of the second output, which is softmax minus labels.
Output ByLogits(NodeGradient& g) {
  Output total;
  if (g.has_grad(0)) total = ScaledRows(g, g.out(1));
  if (!g.has_grad(1)) return total;
  const Output flow = g.grad(1), s = g.Op("Softmax", {g.in(0)});
  const Output second = g.Mul(g.Op("Sub", {flow, SumLast(g, g.Mul(flow, s))}), s);
  return total ? g.Op("AddV2", {total, second}) : second;
}

void CrossEntropy(NodeGradient& g) {
  g.Set(0, ByLogits(g));
  if (!g.has_grad(0)) return;
  if (g.wanted(1)) g.Set(1, ScaledRows(g, g.Neg(g.Op("LogSoftmax", {g.in(0)}))));
}

void SparseCrossEntropy(NodeGradient& g) { g.Set(0, ByLogits(g)); }

// The op computes its gradient, which has none.
void CtcLoss(NodeGradient& g) {
  const Attr message = std::string(
      "Currently there is no way to take the second  derivative of ctc_loss due to the fused "
      "implementation's interaction with tf.gradients()");
  g.Set(0, ScaledRows(g, g.Op("PreventGradient", {g.out(1)}, {{"message", message}})));
}

void BiasAdd(NodeGradient& g) {
  g.Set(0, g.grad());
  if (g.wanted(1)) g.Set(1, g.Op("BiasAddGrad", {g.grad()}, g.attrs({"data_format"})));
}

void BiasAddV1(NodeGradient& g) {
  g.Set(0, g.grad());
  if (g.wanted(1)) g.Set(1, g.Op("BiasAddGrad", {g.grad()}));
}

// In training, the op outputs the values that its gradient reads. In inference, mean and variance
// are inputs.
void BatchNorm(NodeGradient& g) {
  const bool training = g.attr<bool>("is_training", true);
  std::vector<Output> inputs = {g.grad(0), g.in(0), g.in(1)};
  inputs.push_back(training ? g.out(3) : g.in(3));
  inputs.push_back(training ? g.out(4) : g.in(4));
  if (g.node.op() == "FusedBatchNormV3") inputs.push_back(g.out(5));
  const std::string version(absl::string_view(g.node.op()).substr(sizeof("FusedBatchNorm") - 1));
  const auto parts = g.b.Ops("FusedBatchNormGrad" + version, inputs,
                             g.attrs({"epsilon", "data_format", "is_training"}));
  for (size_t i = 0; i < parts.size() && i < 3; ++i) g.Set(static_cast<int>(i), parts[i]);
}

void GlobalBatchNorm(NodeGradient& g) {  // x, mean, variance, beta, gamma
  const auto parts = g.b.Ops("BatchNormWithGlobalNormalizationGrad",
                             {g.in(0), g.in(1), g.in(2), g.in(4), g.grad()},
                             g.attrs({"variance_epsilon", "scale_after_normalization"}));
  for (size_t i = 0; i < parts.size(); ++i) g.Set(static_cast<int>(i), parts[i]);
}

// All elements that equal the found one get equal parts.
void NthElement(NodeGradient& g) {
  const Output found = g.Op("ExpandDims", {g.out(0), g.b.Int(-1)});
  const Output equal = g.Op("Cast", {g.Op("Equal", {found, g.in(0)})}, {{"DstT", g.in(0).dtype()}});
  const Output dy = g.Op("ExpandDims", {g.grad(), g.b.Int(-1)});
  g.Set(0, g.Mul(g.Op("RealDiv", {equal, SumLast(g, equal)}), dy));
}

void Lrn(NodeGradient& g) {
  g.Set(0, g.Op("LRNGrad", {g.grad(), g.in(0), g.out(0)},
                g.attrs({"depth_radius", "bias", "alpha", "beta"})));
}

// Flat indices of the k largest elements of each row.
void TopK(NodeGradient& g) {
  const Output shape = g.Op("Shape", {g.in(0)}), indices = g.out(1);
  const Output n = g.Op("StridedSlice", {shape, g.b.Ints({-1}), g.b.Ints({0}), g.b.Ints({1})},
                        {{"end_mask", 1}, {"shrink_axis_mask", 1}});
  const Output k =
      g.Op("StridedSlice", {g.Op("Shape", {indices}), g.b.Ints({-1}), g.b.Ints({0}), g.b.Ints({1})},
           {{"end_mask", 1}});
  const Output by_row =
      g.Op("Reshape", {indices, g.Op("ConcatV2", {g.b.Ints({-1}), k, g.b.Int(0)}, {{"N", 2}})});
  const Output total = g.Op("Prod", {shape, g.b.Ints({0})});
  const Output starts = g.Op("ExpandDims", {g.Op("Range", {g.b.Int(0), total, n}), g.b.Int(-1)});
  const Output places = g.Op("Reshape", {g.Op("AddV2", {by_row, starts}), g.b.Ints({-1, 1})});
  const Output flow = g.Op("Reshape", {g.grad(0), g.b.Ints({-1})});
  const Output flat = g.Op("ScatterNd", {places, flow, g.Op("Reshape", {total, g.b.Ints({1})})});
  g.Set(0, g.Op("Reshape", {flat, shape}));
}

// The gradient of each element is the mean over its segment.
void IsotonicRegression(NodeGradient& g) {
  const Output shape = g.b.ShapeOf(g.in(0)), zero = g.b.Int(0), one = g.b.Int(1);
  const Output n = g.Op("StridedSlice", {shape, g.b.Ints({-1}), g.b.Ints({0}), g.b.Ints({1})},
                        {{"end_mask", 1}, {"shrink_axis_mask", 1}});
  const Output outer = g.Op("StridedSlice", {shape, g.b.Ints({0}), g.b.Ints({-1}), g.b.Ints({1})},
                            {{"begin_mask", 1}});
  const Output rows = g.Op("Prod", {outer, g.b.Ints({0})});
  const Output matrix = g.Op("Pack", {rows, n}, {{"N", 2}, {"axis", 0}});
  const Output starts =
      g.Op("ExpandDims", {g.Mul(g.Op("Range", {zero, rows, one}), n), g.b.Int(-1)});
  const Output ids = g.Op("AddV2", {g.Op("Reshape", {g.out(1), matrix}), starts});
  const Output dy = g.Op("Reshape", {g.grad(0), matrix}), count = g.Mul(rows, n);
  const Output sums = g.Op("UnsortedSegmentSum", {dy, ids, count});
  const Output sizes = g.Op("UnsortedSegmentSum", {g.Op("OnesLike", {dy}), ids, count});
  const Output means = g.Op("GatherV2", {g.Op("RealDiv", {sums, sizes}), ids, zero});
  g.Set(0, g.Op("Reshape", {means, shape}));
}

}  // namespace

void AddNnGradients(GradientTable& table) {
  for (const Activation& a : kActivations) table[a.op] = Activate;
  table["Softmax"] = Softmax;
  table["LogSoftmax"] = LogSoftmax;
  table["SoftmaxCrossEntropyWithLogits"] = CrossEntropy;
  table["SparseSoftmaxCrossEntropyWithLogits"] = SparseCrossEntropy;
  table["CTCLoss"] = CtcLoss;
  table["BiasAdd"] = BiasAdd;
  table["BiasAddV1"] = BiasAddV1;
  for (auto op : {"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"}) {
    table[op] = BatchNorm;
  }
  table["BatchNormWithGlobalNormalization"] = GlobalBatchNorm;
  table["IsotonicRegression"] = IsotonicRegression;
  table["NthElement"] = NthElement;
  table["LRN"] = Lrn;
  for (auto op : {"ApproxTopK", "TopK", "TopKV2"}) table[op] = TopK;
}

}  // namespace sluice::graph
