// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_PASSES_FUSE_BIAS_H_
#define SLUICE_GRAPH_PASSES_FUSE_BIAS_H_

#include "graph/graph.h"
#include "graph/passes/passes.h"

namespace sluice::graph {

// Joins a convolution with the bias and the activation after it, and their gradients:
//
//   before:  c = Conv2D(x, f) ; b = BiasAdd(c, bias) ; r = Relu(b)
//   after:   c = _FusedConv2D[fused_ops=["BiasAdd", "Relu"]](x, f, bias)
//
//   before:  g = ReluGrad(d, r) ; s = BiasAddGrad(g)
//   after:   g = _FusedReluGrad(d, r), which has s as its second output
//
// The results are the same. A large tensor is read and written once instead of twice or three
// times. Channels are last, Relu6 is joined as Relu is, and the device has a kernel for the joined
// op. A value that a step fetches, or that another node reads or waits for, stays. If the debugger
// watches the step, all nodes stay.
absl::Status FuseBias(Graph& graph, const PassContext& context);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_PASSES_FUSE_BIAS_H_
