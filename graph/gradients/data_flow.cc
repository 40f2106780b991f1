// SPDX-License-Identifier: Apache-2.0
// Gradients of TensorArrays. The gradient passes along the flow: an array's gradient is another
// array, written and read in the order of the flows.
#include "absl/strings/str_cat.h"
#include "graph/gradients/node_gradient.h"

namespace sluice::graph {
namespace {

// The gradient array of the node's array, and its flow.
struct GradientArray {
  Output handle, flow;
  std::string generation;  // V2: handles are strings; V3: resources
};

GradientArray ArrayOf(NodeGradient& g, const Output& flow) {
  const std::string& op = g.node.op();
  GradientArray array{{}, flow, op.substr(op.size() - 2)};
  const auto made = g.b.Ops("TensorArrayGrad" + array.generation, {g.in(0), flow},
                            {{"source", g.b.unique_scope()}});
  if (made.empty()) return array;
  array.handle = made[0];
  if (made.size() > 1) {
    array.flow = made[1];
  } else {  // reads and writes come after the array was made
    array.flow = g.Op("Identity", {flow});
    if (array.flow) g.b.graph().AddControlEdge(made[0].node, array.flow.node);
  }
  return array;
}

// For reads: the last input is the flow. The array has its final length when it is read.
void ReadBack(NodeGradient& g, absl::string_view op, absl::Span<const Output> arguments) {
  const int flow_at = g.num_inputs() - 1;
  const GradientArray array = ArrayOf(g, g.in(flow_at));
  std::vector<Output> inputs = {array.handle};
  inputs.insert(inputs.end(), arguments.begin(), arguments.end());
  inputs.push_back(array.flow);
  g.Set(flow_at, g.Op(absl::StrCat(op, array.generation), inputs));
}
void Read(NodeGradient& g) { ReadBack(g, "TensorArrayWrite", {g.in(1), g.grad()}); }
void Gather(NodeGradient& g) { ReadBack(g, "TensorArrayScatter", {g.in(1), g.grad()}); }
void Concat(NodeGradient& g) { ReadBack(g, "TensorArraySplit", {g.grad(), g.out(1)}); }

// For writes: the gradient of `value_at` is read from the gradient array; the flow passes through.
void WriteBack(NodeGradient& g, absl::string_view op, int value_at, bool with_index) {
  const Output flow = g.grad();
  if (g.wanted(value_at)) {
    const GradientArray array = ArrayOf(g, flow);
    std::vector<Output> inputs = {array.handle};
    if (with_index) inputs.push_back(g.in(1));
    inputs.push_back(array.flow);
    g.Set(value_at,
          g.Op(absl::StrCat(op, array.generation), inputs, {{"dtype", g.in(value_at).dtype()}}));
  }
  g.Set(g.num_inputs() - 1, flow);
}
void Write(NodeGradient& g) { WriteBack(g, "TensorArrayRead", 2, true); }
void Scatter(NodeGradient& g) { WriteBack(g, "TensorArrayGather", 2, true); }
void Split(NodeGradient& g) { WriteBack(g, "TensorArrayConcat", 1, false); }

}  // namespace

void AddDataFlowGradients(GradientTable& table) {
  table["TensorArrayReadV2"] = table["TensorArrayReadV3"] = Read;
  table["TensorArrayGatherV2"] = table["TensorArrayGatherV3"] = Gather;
  table["TensorArrayConcatV2"] = table["TensorArrayConcatV3"] = Concat;
  table["TensorArrayWriteV2"] = table["TensorArrayWriteV3"] = Write;
  table["TensorArrayScatterV2"] = table["TensorArrayScatterV3"] = Scatter;
  table["TensorArraySplitV2"] = table["TensorArraySplitV3"] = Split;
}

}  // namespace sluice::graph
