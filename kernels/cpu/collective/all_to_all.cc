// SPDX-License-Identifier: Apache-2.0
// CollectiveAllToAll: member i gives its part j, of dimension 0, to member j.
#include "kernels/cpu/collective/add_collective.h"
#include "kernels/cpu/collective/membership.h"
#include "kernels/cpu/collective/register.h"

namespace sluice::kernels {
namespace {

struct AllToAll {
  Membership membership;

  static absl::StatusOr<AllToAll> Create(const NodeSpec& node) {
    SLUICE_ASSIGN(Membership membership, Membership::Create(node));
    return AllToAll{std::move(membership)};
  }

  void Start(KernelContext& ctx, Done done) const {
    StartCollective(ctx, Prepare(ctx), std::move(done));
  }

  absl::StatusOr<CollectiveCall> Prepare(KernelContext& ctx) const {
    SLUICE_ASSIGN(CollectiveCall call, membership.Call(ctx, CollectiveOp::kAllToAll));
    call.input = ctx.input(0);
    SLUICE_RETURN_IF_ERROR(ScatteredShape(call.input.shape(), call.group_size).status());
    SLUICE_ASSIGN(Tensor * output, ctx.AllocateOutput(0, call.input.shape()));
    call.output = *output;
    return call;
  }
};

}  // namespace

void RegisterAllToAll(KernelRegistry& kernels) {
  for (const char* op : {"CollectiveAllToAllV2", "CollectiveAllToAllV3"}) {
    AddCollective<AllToAll>(kernels, op,
                            {{"T", {kHalf, kBfloat16, kFloat, kDouble, kInt32, kInt64}}});
  }
}

}  // namespace sluice::kernels
