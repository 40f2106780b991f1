// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_OPS_NCCL_OPS_H_
#define SLUICE_GRAPH_OPS_NCCL_OPS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace sluice::graph {

// The ops of clients between the GPUs of one task, which graph/passes/nccl_members.h prepares, and
// those of groups that graph/passes/nccl_collectives.h can replace.
enum class NcclOp : uint8_t {
  kNone,
  kAllReduce,
  kReduce,
  kBroadcast,
  kGroupReduce,
  kGroupBroadcastSend,
  kGroupBroadcastRecv,
};
NcclOp FindNcclOp(absl::string_view op);
// The reduction of an NcclAllReduce that a merge_op stands for; empty: none.
absl::string_view FindNcclReduction(absl::string_view merge_op);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_OPS_NCCL_OPS_H_
