// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/nccl_ops.h"

namespace sluice::graph {

NcclOp FindNcclOp(absl::string_view op) {
  if (op == "NcclAllReduce") return NcclOp::kAllReduce;
  if (op == "NcclReduce") return NcclOp::kReduce;
  if (op == "NcclBroadcast") return NcclOp::kBroadcast;
  return NcclOp::kNone;
}

}  // namespace sluice::graph
