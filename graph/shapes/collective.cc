// SPDX-License-Identifier: Apache-2.0
// Shapes of operations between the members of a group.
#include "graph/shapes/rules.h"

namespace sluice::graph {
namespace {

// The rows of all members. Where the number of members is an input, TensorFlow does not read it,
// even if it is constant.
absl::Status GatheredShape(ShapeContext& c) {
  SLUICE_ASSIGN(const PartialShape input, c.OfRankAtLeast(0, 1));
  if (!input.rank_known()) return absl::OkStatus();
  Shape::Dims dims(input.dims().begin(), input.dims().end());
  const auto members = c.Get<int64_t>("group_size");
  dims[0] = members.ok() && *members > 0 ? SizeProduct(dims[0], *members) : -1;
  return c.Set(0, dims);
}

absl::Status DeclaredShape(ShapeContext& c) {
  SLUICE_ASSIGN(c.outputs[0], c.Get<PartialShape>("shape"));
  return absl::OkStatus();
}

absl::Status StatedShape(ShapeContext& c) {
  constexpr int kShapeInput = 3;
  SLUICE_RETURN_IF_ERROR(c.OfRank(kShapeInput, 1).status());
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(kShapeInput));
  return absl::OkStatus();
}

absl::Status ReceivedShape(ShapeContext& c) {
  SLUICE_RETURN_IF_ERROR(c.OfRank(0, 1).status());
  SLUICE_ASSIGN(c.outputs[0], c.StatedBy(0));
  return absl::OkStatus();
}

constexpr ShapeRule kRules[] = {
    {"CollectiveAllToAllV2", Unchanged},
    {"CollectiveAllToAllV3", Unchanged},
    {"CollectiveAssignGroupV2", AllScalars},
    {"CollectiveBcastRecv", DeclaredShape},
    {"CollectiveBcastRecvV2", StatedShape},
    {"CollectiveBcastSend", DeclaredShape},
    {"CollectiveBcastSendV2", Unchanged},
    {"CollectiveGather", GatheredShape},
    {"CollectiveGatherV2", GatheredShape},
    {"CollectiveInitializeCommunicator", AllScalars},
    {"CollectiveReduce", Unchanged},
    {"CollectiveReduceScatterV2", GatheredShape},
    {"CollectiveReduceV2", Unchanged},
    {"CollectiveReduceV3", Unchanged},
    {"NcclAllReduce", Unchanged},
    {"NcclBroadcast", Unchanged},
    {"NcclReduce", Unchanged},
    {"_NcclBroadcastRecv", ReceivedShape},
    {"_NcclBroadcastSend", Unchanged},
    {"_NcclGroupReduce", Unchanged},
    {"_NcclReduceRecv", Unchanged},
    {"_NcclReduceSend", Unchanged},
};

}  // namespace

absl::Span<const ShapeRule> CollectiveRules() { return kRules; }

}  // namespace sluice::graph
