// SPDX-License-Identifier: Apache-2.0
#include "graph/passes/passes.h"

#include "core/status.h"
#include "graph/passes/debug_watches.h"
#include "graph/passes/fuse_bias.h"
#include "graph/passes/fuse_reductions.h"

namespace sluice::graph {
namespace {

using Pass = absl::Status (*)(Graph& graph, const PassContext& context);

// The order matters: the debugger watches the tensors that the other passes leave.
constexpr Pass kPasses[] = {
    FuseReductions,
    FuseBias,
    InsertDebugWatches,
};

}  // namespace

absl::Status RunPasses(Graph& graph, const PassContext& context) {
  for (const Pass pass : kPasses) SLUICE_RETURN_IF_ERROR(pass(graph, context));
  return absl::OkStatus();
}

}  // namespace sluice::graph
