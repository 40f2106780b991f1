// SPDX-License-Identifier: Apache-2.0
// Reductions of the values of all members: CollectiveReduce and CollectiveReduceScatter.
//
// The attributes subdiv_offsets and max_subdivs_per_device set how TensorFlow cuts its rings, and
// change nothing here. wait_for lists the instances that begin before this one. TensorFlow waits for
// them in NCCL's kernels only.
#include "kernels/cpu/collective/add_collective.h"
#include "kernels/cpu/collective/membership.h"
#include "kernels/cpu/collective/reductions.h"
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {
namespace {

absl::StatusOr<Reduction> ReductionOf(const NodeSpec& node) {
  SLUICE_ASSIGN(const DType dtype, node.Get<DType>("T"));
  if (const auto reduction = node.Get<std::string>("reduction"); reduction.ok())  // "V3"
    return FindReduction(*reduction, "Id", dtype);
  SLUICE_ASSIGN(const std::string merge, node.Get<std::string>("merge_op"));
  SLUICE_ASSIGN(const std::string final, node.Get<std::string>("final_op"));
  return FindReduction(merge, final, dtype);
}

struct AllReduce {
  Membership membership;
  Reduction reduction;
  bool scatters;

  static absl::StatusOr<AllReduce> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Membership membership, Membership::Create(node));
    SLUICE_ASSIGN(Reduction reduction, ReductionOf(node));
    return AllReduce{std::move(membership), std::move(reduction),
                     node.op == "CollectiveReduceScatterV2"};
  }

  void Start(KernelContext& ctx, Done done) const {
    StartCollective(ctx, Prepare(ctx), std::move(done));
  }

  absl::StatusOr<CollectiveCall> Prepare(KernelContext& ctx) const {
    SLUICE_ASSIGN(CollectiveCall call, membership.Call(ctx, scatters ? CollectiveOp::kReduceScatter
                                                                     : CollectiveOp::kAllReduce));
    call.reduction = reduction;
    call.input = ctx.input(0);
    Shape shape = call.input.shape();
    if (scatters) {
      SLUICE_ASSIGN(shape, ScatteredShape(shape, call.group_size));
    }
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, shape));
    call.output = *output;
    return call;
  }
};

// The member is a GPU. Its memory is reduced, by NCCL if all members have it.
struct AllReduceOfGpus {
  Membership membership;
  Reduction reduction;

  static absl::StatusOr<AllReduceOfGpus> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Membership membership, Membership::Create(node));
    SLUICE_ASSIGN(Reduction reduction, ReductionOf(node));
    return AllReduceOfGpus{std::move(membership), std::move(reduction)};
  }

  void Start(KernelContext& ctx, Done done) const {
    absl::StatusOr<CollectiveCall> call = membership.Call(ctx, CollectiveOp::kAllReduce);
    if (call.ok()) {
      call->reduction = reduction;
      call->input = ctx.input(0);
      call->set_output = [&ctx](Tensor result) { ctx.SetOutput(0, std::move(result)); };
    }
    StartCollective(ctx, std::move(call), std::move(done));
  }
};

}  // namespace

void RegisterAllReduce(KernelRegistry& kernels) {
  for (const char* op : {"CollectiveReduce", "CollectiveReduceV2", "CollectiveReduceV3",
                         "CollectiveReduceScatterV2"}) {
    AddCollective<AllReduce>(kernels, op,
                             {{"T", {kHalf, kBfloat16, kFloat, kDouble, kInt32, kInt64}}});
  }
  kernels.Add<AllReduceOfGpus>("_NcclGroupReduce", kGpu,
                               {{"T", {kHalf, kBfloat16, kFloat, kDouble, kInt32, kInt64}}});
}

}  // namespace sluice::kernels
