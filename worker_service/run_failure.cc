// SPDX-License-Identifier: Apache-2.0
#include "worker_service/run_failure.h"

#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/status.h"
#include "core/utf8.h"

namespace sluice::worker {
namespace {

// The node to name in an error of `node`. A transfer is not in the program, so the error names the
// node whose value it moves.
uint32_t NodeToName(const Executable& exec, uint32_t node) {
  if (exec.nodes[node].kind != NodeKind::kTransfer) return node;
  for (uint32_t i = 0; i < exec.nodes.size(); ++i) {
    for (uint32_t e = exec.nodes[i].first_edge; e < exec.nodes[i].end_edge; ++e) {
      const ExecEdge& edge = exec.edges[e];
      if (edge.node == node && edge.slot != ExecEdge::kNoSlot) return i;
    }
  }
  return node;  // a constant's value, or no value
}

// TensorFlow's client looks up the node in double brackets. It fails if the node is a debugger's,
// which has a colon in its name.
std::string InBrackets(const std::string& name) {
  const bool for_debugger = absl::StrContains(name, ':');
  return for_debugger ? absl::StrCat("at ", name) : absl::StrCat("[[{{node ", name, "}}]]");
}

absl::Status WithNode(const Executable& exec, uint32_t failed, const absl::Status& cause) {
  const uint32_t node = NodeToName(exec, failed);
  return absl::Status(
      cause.code(),
      absl::StrCat(AsUtf8(cause.message()), "\n\t ", InBrackets(exec.names[node]), " (",
                   exec.ops[node], " on ", exec.device_names[exec.nodes[node].device], ")"));
}

}  // namespace

std::optional<absl::Status> RunFailure::Record(uint32_t node, const absl::Status& cause) {
  const bool derived = IsDerived(cause);
  const absl::Status status = derived ? cause : WithNode(exec_, node, cause);
  bool first = false;
  {
    absl::MutexLock lock(&mu_);
    first = status_.ok();
    if (first || (IsDerived(status_) && !derived)) status_ = status;
  }
  failed_.store(true, std::memory_order_release);
  if (!first) return std::nullopt;
  return status;
}

}  // namespace sluice::worker
