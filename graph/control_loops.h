// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_CONTROL_LOOPS_H_
#define SLUICE_GRAPH_CONTROL_LOOPS_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "graph/frames.h"
#include "graph/graph.h"

namespace sluice::graph {

// A placed graph with its devices as numbers and its frames, kept up to date while nodes are added.
struct Located {
  Graph& graph;
  std::vector<std::string> devices;  // full names
  std::vector<int> device_of;        // by node id
  Frames frames;                     // for a graph without loops: only the root

  // INVALID_ARGUMENT for a node without a device, or for frames that do not fit.
  static absl::StatusOr<Located> Of(Graph& graph);

  bool Crosses(const Edge& edge) const {
    return device_of[edge.src->id()] != device_of[edge.dst->id()];
  }
  // Adds a node under a name like `name`, in a frame. Enter and Exit correct frames.output
  // themselves.
  absl::StatusOr<Node*> Add(const char* op, const std::string& name, AttrMap attrs, int device,
                            int frame);
  // A Const without elements, in the place and frame of `beside`.
  absl::StatusOr<Node*> AddEmptyFloat(const std::string& name, const Node& beside);
};

// Moves the nodes that control a loop to the device of the nodes that they control: Switch and Exit
// to their input's, Enter and NextIteration to their consumer's, one copy for each consuming
// device. So no edge that enters a frame or an iteration is cut. A recv in a frame needs a value in
// each iteration, and such an edge has none in most of them.
absl::Status MoveLoopNodes(Located& located);

// The control loops of a graph. On every device with nodes of a frame of another device, a loop
// without a body runs as often as the frame's LoopCond decides. Its Merge fires once in each
// iteration, and the frame's recvs on this device fire with it:
//
//   Enter(empty) -> Merge -> Switch(LoopCond) -> NextIteration -> back to Merge
class ControlLoops {
 public:
  // Makes `recv` fire once in each iteration of the frame. REQUIRES: the frame has a loop on the
  // recv's device.
  void Gate(int frame, Located& located, Node* recv) const;

 private:
  friend absl::StatusOr<ControlLoops> AddControlLoops(Located& located);
  friend class LoopBuilder;
  absl::flat_hash_map<std::pair<int, int>, Node*> merges_;  // by frame and device
};

// `recvs`: the existing recvs, each with the frame in which it is to be gated. INVALID_ARGUMENT for
// a frame on several devices without a LoopCond.
absl::StatusOr<ControlLoops> AddControlLoops(Located& located,
                                             const std::vector<std::pair<Node*, int>>& recvs);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_CONTROL_LOOPS_H_
