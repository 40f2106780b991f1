// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_FRAMES_H_
#define SLUICE_GRAPH_FRAMES_H_

#include <string>
#include <vector>

#include "graph/graph.h"

namespace sluice::graph {

// A LoopFrame is the scope of one while loop: Enter nodes lead into it, Exit nodes out of it. Frame
// 0 is the root, outside of all loops. A parent comes before its children.
struct LoopFrame {
  int parent = 0;
  std::string name;
  int64_t parallel_iterations = 10;
  Node* loop_cond = nullptr;
};

// The frames of a graph. By node id: the frame of a node's inputs and that of its outputs. They
// differ only for Enter and Exit.
struct Frames {
  std::vector<LoopFrame> frames;
  std::vector<int> input;
  std::vector<int> output;
};

// kStructure refuses graphs that can never run: Exit and NextIteration outside of any frame,
// cycles. kWhole also refuses a node whose inputs come from different frames.
enum class FrameRules { kStructure, kWhole };

// INVALID_ARGUMENT names the node.
absl::StatusOr<Frames> AnalyzeFrames(const Graph& graph, FrameRules rules = FrameRules::kWhole);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_FRAMES_H_
