#include "graph/gradients/node_gradient.h"

namespace sluice::graph {

// What sets a variable is no function of it: gradients end there, as they do where numbers are
// drawn.
void AddStateGradients(GradientTable& table) {
  for (auto op : {"Assign", "AssignAdd", "AssignSub", "IsVariableInitialized", "VarIsInitializedOp",
                  "RandomUniform", "RandomStandardNormal", "TruncatedNormal", "RandomUniformInt",
                  "Multinomial", "RandomShuffle"}) {
    table[op] = nullptr;
  }
}

}  // namespace sluice::graph
