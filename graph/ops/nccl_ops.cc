// SPDX-License-Identifier: Apache-2.0
#include "graph/ops/nccl_ops.h"

namespace sluice::graph {

NcclOp FindNcclOp(absl::string_view op) {
  if (op == "NcclAllReduce") return NcclOp::kAllReduce;
  if (op == "NcclReduce") return NcclOp::kReduce;
  if (op == "NcclBroadcast") return NcclOp::kBroadcast;
  if (op == "CollectiveReduce") return NcclOp::kGroupReduce;
  if (op == "CollectiveBcastSend") return NcclOp::kGroupBroadcastSend;
  if (op == "CollectiveBcastRecv") return NcclOp::kGroupBroadcastRecv;
  return NcclOp::kNone;
}

absl::string_view FindNcclReduction(absl::string_view merge_op) {
  if (merge_op == "Add") return "sum";
  if (merge_op == "Mul") return "prod";
  if (merge_op == "Min") return "min";
  if (merge_op == "Max") return "max";
  return "";
}

}  // namespace sluice::graph
