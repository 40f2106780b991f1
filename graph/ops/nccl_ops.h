// SPDX-License-Identifier: Apache-2.0
#ifndef SLUICE_GRAPH_OPS_NCCL_OPS_H_
#define SLUICE_GRAPH_OPS_NCCL_OPS_H_

#include <cstdint>

#include "absl/strings/string_view.h"

namespace sluice::graph {

// The ops of clients between the GPUs of one task, which graph/nccl_members.h prepares.
enum class NcclOp : uint8_t { kNone, kAllReduce, kReduce, kBroadcast };
NcclOp FindNcclOp(absl::string_view op);

}  // namespace sluice::graph

#endif  // SLUICE_GRAPH_OPS_NCCL_OPS_H_
